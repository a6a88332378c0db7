// The overview: the run, its agents and its groups.

function drawIntro() {
  const suite = report.suite;
  const counts = [
    [suite.environments, "environment"], [suite.domains, "domain"], [suite.tasks, "task"],
    [suite.task_instances, "task instance"], [agents.length, "agent"], [report.episodes, "episode"],
  ];
  fill("counts", counts.map(([count, noun]) =>
    el("div", {}, el("dt", {}, count === 1 ? noun : noun + "s"), el("dd", {}, count.toLocaleString("en")))));
  byId("digest").textContent = report.digest;
  const copy = byId("copy");
  copy.hidden = !navigator.clipboard;
  copy.addEventListener("click", () => navigator.clipboard.writeText(report.digest)
    .then(() => { copy.textContent = "Copied"; }, () => { copy.textContent = "Not allowed"; }));
  const named = agents.length === 1 ? agents[0] : `${agents.length} agents`;
  byId("title").textContent = agents.length ? `Run of ${named}` : "Run without an episode";
  document.title = `probity report: ${agents.join(", ")}`;
}

function meter(value, className) {
  return svg("svg", { class: `meter ${className}`, "aria-hidden": "true", preserveAspectRatio: "none" },
    svg("rect", { class: "rail", width: "100%", height: "4", rx: "2" }),
    value === null ? null : svg("rect", { class: "fill", width: `${value * 100}%`, height: "4", rx: "2" }));
}

/** A number that leads to its episodes, and is told in full while it is hovered or focused. */
function scoreLink(score, name, changes, interval) {
  const link = el("a", { class: "cell", href: filterHash(changes), "data-jump": "episodes" }, number(score?.value));
  return tipped(link, `${name}\n${inFull(score, interval)}`);
}

function scoreCell(score, name, changes, interval) {
  return el("td", { class: "num" }, scoreLink(score, name, changes, interval), meter(score.value, agentColour(changes.agent)),
    interval ? el("span", { class: "small" }, between(interval)) : null, el("span", { class: "small" }, sizes(score)));
}

/** How often each task instance is played. */
const trials = rows.reduce((most, row) => Math.max(most, row.trial + 1), 1);

function episodesCell(played) {
  const missing = report.suite.task_instances * trials - played;
  return el("td", { class: "num" }, played.toLocaleString("en"),
    missing > 0 ? el("span", { class: "small" }, `${missing.toLocaleString("en")} not played`) : null);
}

function drawAgents() {
  const names = Object.keys(METRICS);
  const scales = report.judged?.scales ?? [];
  const head = [column("agent"), ...names.map((name) => column(metricLink(name), "num")), column("episodes", "num"),
    ...scales.map((scale) => column(`${scale} (judge)`, "num"))];
  byId("judged").hidden = !report.judged;
  byId("judge").textContent = report.judged?.judge ?? "";
  fill("agents", table(head, agents.map((agent) => {
    const overall = report.agents[agent].overall;
    const cells = names.map((name) => scoreCell(overall[name], `${agent}, ${METRICS[name][0]}`, { agent }, overall.intervals?.[name]));
    return el("tr", {}, el("th", { scope: "row" }, agentName(agent)), cells, episodesCell(overall.episodes), scales.map((scale) => judgedCell(report.judged.agents[agent]?.[scale])));
  })));
}

/** A number of the run's own judge: it leads nowhere, since the episodes have the rules' numbers alone. */
function judgedCell(graded) {
  const missing = Object.values(graded?.not_graded ?? {}).reduce((sum, count) => sum + count, 0);
  return el("td", { class: "num" }, number(graded?.mean), el("span", { class: "small" },
    `n ${graded?.graded ?? 0}` + (missing ? ` of ${graded.graded + missing}` : "")));
}

/** Requests, tokens and cost of the agents that ask a provider, and of the models of their users. */
function drawSpent() {
  const asked = agents.flatMap((agent) => ["agent", "user"].map((side) => [agent, side, report.agents[agent].spent?.[side]]))
    .filter(([, , usage]) => usage);
  byId("spent-fold").hidden = asked.length === 0;
  const titles = ["requests", "sent again", "tokens read", "from a cache", "tokens written", "answers without a count"];
  const fields = ["requests", "retries", "prompt_tokens", "cached_tokens", "completion_tokens", "uncounted"];
  const head = [column("agent"), column("asked by"), ...titles.map((title) => column(title, "num")), column("cost of both", "num")];
  fill("spent", table(head, asked.map(([agent, side, usage]) => {
    const cost = report.agents[agent].spent.cost;
    return el("tr", {}, el("th", { scope: "row" }, agentName(agent)), el("td", {}, side),
      fields.map((field) => el("td", { class: "num" }, usage[field].toLocaleString("en"))),
      el("td", { class: "num" }, cost === undefined ? "\u2013" : cost.toFixed(4)));
  })));
}

let grouping = "environments";
const GROUPINGS = [["domains", "Domain"], ["environments", "Environment"], ["difficulties", "Difficulty"], ["tasks", "Task"]];
const GROUP_FILTERS = { environments: "environment", difficulties: "difficulty", tasks: "task", domains: "domain" };

function drawGroups() {
  const found = new Set(agents.flatMap((agent) => Object.keys(report.agents[agent][grouping])));
  const order = grouping === "difficulties" ? DIFFICULTIES : [...found].sort();
  const shown = ["sr", "honesty", "discipline"];
  const title = GROUPINGS.find(([name]) => name === grouping)[1].toLowerCase();
  const head = [column(`${title}, agent`), ...shown.map((name) => column(METRICS[name][0], "num"))];
  const bodies = order.filter((name) => found.has(name)).map((name) => {
    const chosen = { [GROUP_FILTERS[grouping]]: name };
    const link = el("a", { href: filterHash(chosen), "data-jump": "episodes" }, name);
    const lines = agents.filter((agent) => report.agents[agent][grouping][name]).map((agent) => {
      const summary = report.agents[agent][grouping][name];
      return el("tr", {}, el("th", { scope: "row", class: "inner" }, agentName(agent)),
        shown.map((quantity) => scoreCell(summary[quantity], `${agent}, ${name}, ${METRICS[quantity][0]}`, { ...chosen, agent }, summary.intervals?.[quantity])));
    });
    return [el("tr", { class: "group" }, el("th", { scope: "rowgroup", colspan: shown.length + 1 }, link)), lines];
  });
  fill("groups-table", table(head, ...bodies));
}

function drawOverview() {
  drawIntro();
  if (!agents.length) {
    for (const id of ["agents-section", "behaviour", "failures", "groups", "sections", "filters"]) byId(id).hidden = true;
    return;
  }
  drawAgents();
  drawSpent();
  drawMetrics();
  segmented("quantity", Object.entries(METRICS).slice(0, 7).map(([name, [label]]) => [name, label]), quantity, (name) => {
    quantity = name;
    drawBehaviour();
  });
  drawBehaviour();
  drawTrials();
  drawFailures();
  segmented("grouping", GROUPINGS, grouping, (name) => {
    grouping = name;
    drawGroups();
  });
  drawGroups();
  new ResizeObserver(drawCharts).observe(byId("chart"));
}
