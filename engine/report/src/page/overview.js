// The overview: the run, its agents and its groups.

function drawIntro() {
  const { levels, tasks, task_instances: instances } = report.counts;
  const counts = [
    ...factors.filter(({ name }) => name in levels).map(({ name, title }) => [levels[name], title.toLowerCase()]),
    ...(logs ? [] : [[tasks, "task"], [instances, "task instance"]]), [agents.length, say("agent")], [report.episodes, say("episode")],
    ...(logs?.counts ?? []),
  ];
  fill("counts", counts.map(([count, noun]) =>
    el("div", {}, el("dt", {}, nouns(count, noun)), el("dd", {}, count.toLocaleString("en")))));
  drawOutcomes();
  drawFacts();
  byId("digest").textContent = report.digest;
  byId("digest").parentElement.hidden = logs !== null;
  byId("cheats").hidden = !report.cheats?.length;
  byId("cheats").textContent = `The best of the cheats. ${(report.cheats ?? []).map(floorOf).join(" ")}`;
  byId("isolation").hidden = !report.isolation;
  byId("isolation").textContent = report.isolation ? `${report.isolation}.` : "";
  const copy = byId("copy");
  copy.hidden = !navigator.clipboard;
  copy.addEventListener("click", () => navigator.clipboard.writeText(report.digest)
    .then(() => { copy.textContent = "Copied"; }, () => { copy.textContent = "Not allowed"; }));
  const named = agents.length === 1 ? agents[0] : `${agents.length} ${say("agents")}`;
  byId("title").textContent = agents.length ? `${say("Run")} of ${named}` : say("Run without an episode");
  document.title = `probity ${say("report")}: ${agents.join(", ")}`;
}

/** What the best cheats got of a metric. */
function floorOf({ metric: name, blind, informed }) {
  const metric = metrics.find((other) => other.name === name);
  const told = (best, kind) => (best ? [`${written(best.value, metric)} ${kind} (${best.agent})`] : []);
  return `${metric?.title ?? name}: ${[...told(blind, "without the work"), ...told(informed, "with the right calls")].join(", ")}.`;
}

/** How many episodes came out how, each a way to them. */
function drawOutcomes() {
  const kinds = logs ? ["fail", "pass_with_findings", "pass", "not_scored"].map((outcome) => [outcome, VERDICTS[outcome][1]])
    : hasVerdicts ? [["fail", "failed"], ["pass_with_findings", "passed, with findings"], ["pass", "passed"], ["not_scored", "not scored"]] : [];
  const counted = kinds.map(([outcome, text]) => [outcome, text, rows.filter((row) => row.outcome === outcome).length]).filter(([, , count]) => count);
  const line = ([outcome, text, count]) => (outcome === "pass" ? verdict("pass", `${count.toLocaleString("en")} ${text}`)
    : el("a", { href: filterHash({ outcome }), "data-jump": "episodes" }, verdict(outcome, `${count.toLocaleString("en")} ${text}`)));
  byId("outcomes").hidden = counted.length === 0;
  fill("outcomes", counted.map((kind, at) => [at ? " · " : "", line(kind)]));
}

/** What was played: suite, what tasks bring, the command and the version. */
function drawFacts() {
  const brought = factors.map((factor, at) => [factor, index.levels[at]]).filter(([{ role, levels: known }, met]) => role === "property" && !known.length && met.length);
  const names = (met) => `${met.slice(0, 6).join(", ")}${met.length > 6 ? ` and ${met.length - 6} more` : ""}`;
  const facts = [logs ? null : ["suite", `${card.name}: ${card.title}`], ...(logs?.facts ?? []), ...brought.map(([factor, met]) => [nouns(met.length, factor.title.toLowerCase()), names(met)]),
    about.command ? ["command", el("code", {}, about.command)] : null, about.engine ? ["version", `probity ${about.engine}`] : null];
  fill("facts", facts.filter(Boolean).map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
}

/** What the sizes below numbers mean, by a number of this run. */
function drawAgentsNote() {
  const sized = agents.flatMap((agent) => metrics.map(({ name }) => report.agents[agent].overall.metrics[name])).find((score) => score?.not_scored);
  const example = sized ? `: “${sizes(sized)}” is ${sized.n} scored and ${sized.not_scored} not scored` : "";
  const partly = agents.some((agent) => report.agents[agent].overall.episodes < report.counts.task_instances * trials);
  byId("agents-note").textContent = `Over scored ${say("episodes")}; n is how many those are${example}. “–” is not scored, never 0.`
    + (partly ? " What is not played is where a planted fault does not apply." : "");
}

/** How far into its range a value is; nothing where the range has no end. */
function meter(value, { range: [low, high] }, className) {
  if (low === null || high === null) return null;
  return svg("svg", { class: `meter ${className}`, "aria-hidden": "true", preserveAspectRatio: "none" },
    svg("rect", { class: "rail", width: "100%", height: "4", rx: "2" }),
    value === null ? null : svg("rect", { class: "fill", width: `${((value - low) / (high - low)) * 100}%`, height: "4", rx: "2" }));
}

/** A number that leads to its episodes, and is told in full while it is hovered or focused. */
function scoreLink(score, metric, name, changes) {
  const link = el("a", { class: "cell", href: filterHash(changes), "data-jump": "episodes" }, written(score?.value, metric));
  return tipped(link, `${name}\n${inFull(score, metric)}`);
}

function scoreCell(score, metric, name, changes) {
  return el("td", { class: "num" }, scoreLink(score, metric, `${name}, ${metric.title}`, changes), meter(score.value, metric, agentColour(changes.agent)),
    isWide(score.interval) ? el("span", { class: "small" }, between(score.interval, metric)) : null, el("span", { class: "small" }, sizes(score)));
}

/** How often each task instance is played. */
const trials = rows.reduce((most, row) => Math.max(most, row.trial + 1), 1);

function episodesCell(played) {
  const missing = report.counts.task_instances * trials - played;
  return el("td", { class: "num" }, played.toLocaleString("en"),
    missing > 0 ? el("span", { class: "small" }, `${missing.toLocaleString("en")} not played`) : null);
}

function drawAgents() {
  const scales = report.judged?.scales ?? [];
  const head = [column(say("agent")), ...metrics.map(({ name }) => column(metricLink(name), "num")), column(say("episodes"), "num"),
    ...scales.map((scale) => column(`${scale} (judge)`, "num"))];
  byId("judged").hidden = !report.judged;
  byId("judge").textContent = report.judged?.judge ?? "";
  fill("agents", table(head, agents.map((agent) => {
    const overall = report.agents[agent].overall;
    const cells = metrics.map((metric) => scoreCell(overall.metrics[metric.name], metric, agent, { agent }));
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

/** What episodes are grouped by, the columns aside: levels in order, what they are called, and the scores of one. */
const GROUPINGS = [
  ...factors.filter((factor) => factor !== columns).map((factor) => ({
    name: factor.name, title: factor.title, levels: allLevels(factor), called: (level) => levelName(factor, level),
    scores: (agent, level) => report.agents[agent].factors[factor.name]?.[level]?.metrics,
  })),
  { name: "task", title: say("Task"), levels: index.tasks, called: taskName, text: (task) => task, scores: (agent, task) => report.agents[agent].tasks[task] },
];
/** The finest of what tasks bring. */
let grouping = (factors.findLast(({ levels }) => !levels.length) ?? { name: "task" }).name;

function drawGroups() {
  const { name, title, levels, called, text = called, scores } = GROUPINGS.find((other) => other.name === grouping);
  const head = [column(`${title.toLowerCase()}, ${say("agent")}`), ...inTable.map((metric) => column(metric.title, "num"))];
  const bodies = levels.map((level) => [level, agents.filter((agent) => scores(agent, level))]).filter(([, members]) => members.length).map(([level, members]) => {
    const link = el("a", { href: filterHash({ [name]: level }), "data-jump": "episodes" }, called(level));
    const lines = members.map((agent) => el("tr", {}, el("th", { scope: "row", class: "inner" }, agentName(agent)),
      inTable.map((metric) => scoreCell(scores(agent, level)[metric.name], metric, `${agent}, ${text(level)}`, { [name]: level, agent }))));
    return [el("tr", { class: "group" }, el("th", { scope: "rowgroup", colspan: inTable.length + 1 }, link)), lines];
  });
  fill("groups-table", table(head, ...bodies));
}

/** The words around the numbers that depend on the benchmark. */
function drawTitles() {
  const by = columns ? columns.title.toLowerCase() : "";
  byId("to-levels").textContent = columns?.title ?? "Figures";
  byId("levels-title").textContent = columns ? `By ${by}` : "Figures";
  byId("levels-table").setAttribute("aria-label", `${columns ? `Scores by ${by}` : "Scores"}, in tiers of agents`);
  byId("levels-note").textContent = (baseline ? `Below each number its change against ${words(baseline)}. ` : "") + say("A mean over agents counts each agent once.");
  // Of a line such as `SR: mean over episodes` the first word is what it explains.
  const lines = card.legend.split("\n").filter(Boolean).map((line) => line.match(/^([^:]*)(:.*)?$/s));
  fill("legend", lines.map(([line, term, rest], at) => [at ? el("br") : "", rest ? [el("b", {}, term), rest] : line]));
}

function drawOverview() {
  drawIntro();
  if (!agents.length) {
    for (const id of ["agents-section", "levels", "failures", "groups", "sections", "filters"]) byId(id).hidden = true;
    return;
  }
  drawAgents();
  drawAgentsNote();
  drawSpent();
  drawMetrics();
  drawSheets();
  drawTitles();
  segmented("quantity", metrics.map((metric) => [metric, metric.title]), quantity, (metric) => {
    quantity = metric;
    drawQuantity();
  });
  drawQuantity();
  drawTrials();
  drawFailures();
  segmented("grouping", GROUPINGS.map(({ name, title }) => [name, title]), grouping, (name) => {
    grouping = name;
    drawGroups();
  });
  drawGroups();
  new ResizeObserver(drawCharts).observe(byId("chart"));
}
