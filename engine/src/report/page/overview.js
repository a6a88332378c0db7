// The overview: agents, behaviours, failures and groups.

let quantity = "sr";

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
function scoreLink(score, name, changes) {
  const link = el("a", { class: "cell", href: filterHash(changes), "data-jump": "episodes" }, number(score?.value));
  return tipped(link, `${name}\n${inFull(score)}`);
}

function scoreCell(score, name, changes) {
  return el("td", { class: "num" }, scoreLink(score, name, changes), meter(score.value, agentColour(changes.agent)),
    el("span", { class: "small" }, sizes(score)));
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
  const head = [column("agent"), ...names.map((name) => column(metricLink(name), "num")), column("episodes", "num")];
  fill("agents", table(head, agents.map((agent) => {
    const overall = report.agents[agent].overall;
    const cells = names.map((name) => scoreCell(overall[name], `${agent}, ${METRICS[name][0]}`, { agent }));
    return el("tr", {}, el("th", { scope: "row" }, agentName(agent)), cells, episodesCell(overall.episodes));
  })));
}

/** The score of an agent in a group of the chart: a behaviour, or all together. */
function scoreOf(agent, variant) {
  const of = report.agents[agent];
  const summary = variant === "overall" ? of.overall : of.variants[variant];
  return summary ? summary[quantity] : null;
}

/** The change against ideal, as the report counts it. */
function changeOf(agent, variant) {
  if (variant === "overall" || variant === "ideal") return null;
  const ideal = scoreOf(agent, "ideal");
  const score = scoreOf(agent, variant);
  if (!ideal || !score || !(ideal.value > 0) || score.value === null) return null;
  return (score.value - ideal.value) / ideal.value;
}

const GROUPS = [...VARIANTS, "overall"];
const groupFilter = (agent, variant) => ({ agent, variant: variant === "overall" ? "" : variant });

function barText(agent, variant) {
  const score = scoreOf(agent, variant);
  const change = changeOf(agent, variant);
  return `${agent}, ${words(variant)}\n${METRICS[quantity][0]} ${inFull(score)}`
    + (change === null ? "" : `\n${percent(change)} against ideal`);
}

function groupSizes(variant) {
  const counts = agents.map((agent) => scoreOf(agent, variant)?.n ?? 0);
  const [low, high] = [Math.min(...counts), Math.max(...counts)];
  return low === high ? `n ${low}` : `n ${low}–${high}`;
}

function drawChart() {
  const box = byId("chart");
  const width = box.clientWidth;
  if (!width || !agents.length) return;
  box.replaceChildren(width < 620 ? barsAcross(width) : barsUp(width));
}

const SHORT = {
  ideal: ["ideal"], underspecification: ["under-", "specification"], information_overload: ["information", "overload"],
  fabricated_parameters: ["fabricated", "parameters"], goal_switching: ["goal", "switching"],
  contradictory_constraints: ["contradictory", "constraints"], impatience_and_hostility: ["impatience", "and hostility"],
  overall: ["overall"],
};

function chartFrame(width, height) {
  return svg("svg", {
    viewBox: `0 0 ${width} ${height}`, width, height, role: "group",
    "aria-label": `${METRICS[quantity][0]} by user behaviour; the table below holds the same numbers`,
  });
}

function barsUp(width) {
  const [left, top, plot, bottom] = [34, 18, 200, 58];
  const frame = chartFrame(width, top + plot + bottom);
  for (const value of [0, 0.25, 0.5, 0.75, 1]) {
    const y = top + plot * (1 - value);
    frame.append(svg("line", { class: value ? "grid" : "axis", x1: left, x2: width, y1: y, y2: y }),
      svg("text", { x: left - 8, y: y + 4, "text-anchor": "end" }, value.toString()));
  }
  const slot = (width - left) / (GROUPS.length + 0.25);
  const bar = Math.min(30, (slot * 0.82) / agents.length);
  GROUPS.forEach((variant, at) => {
    const centre = left + slot * (at + 0.5 + (variant === "overall" ? 0.25 : 0));
    const lines = [...SHORT[variant], groupSizes(variant)];
    lines.forEach((line, row) => frame.append(svg("text", {
      x: centre, y: top + plot + 18 + row * 15, "text-anchor": "middle", class: row < lines.length - 1 ? "strong" : "",
    }, line)));
    agents.forEach((agent, place) => {
      const x = centre + (place - agents.length / 2) * bar;
      const value = scoreOf(agent, variant)?.value ?? null;
      const height = value === null ? 0 : Math.max(2, value * plot);
      const label = { x: x + bar / 2, y: top + plot - height - 5, "text-anchor": "middle", "aria-hidden": "true" };
      if (value === null || bar >= 26) frame.append(svg("text", label, number(value)));
      const shape = { class: `${value === null ? "hit" : "mark"} ${agentColour(agent)}`, rx: 1.5 };
      const size = { x: x + 0.75, width: Math.max(1, bar - 1.5), y: top + plot - (value === null ? 16 : height), height: value === null ? 16 : height };
      frame.append(mark("rect", { ...shape, ...size }, barText(agent, variant), () => showEpisodes(groupFilter(agent, variant))));
    });
  });
  return frame;
}

function barsAcross(width) {
  const [line, gap] = [18, 14];
  const frame = chartFrame(width, GROUPS.length * (22 + agents.length * line + gap));
  let y = 0;
  for (const variant of GROUPS) {
    frame.append(svg("text", { x: 0, y: y + 14, class: "strong" }, words(variant)),
      svg("text", { x: width, y: y + 14, "text-anchor": "end" }, groupSizes(variant)));
    y += 22;
    for (const agent of agents) {
      const value = scoreOf(agent, variant)?.value ?? null;
      const length = value === null ? 24 : Math.max(2, value * (width - 44));
      const shape = { class: `${value === null ? "hit" : "mark"} ${agentColour(agent)}`, x: 0, y, width: length, height: line - 4, rx: 1.5 };
      frame.append(svg("text", { x: (value === null ? 0 : length) + 6, y: y + 11, "aria-hidden": "true" }, number(value)),
        mark("rect", shape, barText(agent, variant), () => showEpisodes(groupFilter(agent, variant))));
      y += line;
    }
    y += gap;
  }
  return frame;
}

function drawBehaviour() {
  const [, sentence, formula] = METRICS[quantity];
  fill("quantity-note", `${sentence} `, el("code", {}, formula), " ", metricLink(quantity, "What it means"));
  fill("chart-legend", agents.map((agent) => el("li", {}, agentName(agent))));
  drawChart();
  const head = [column("agent"), ...GROUPS.map((variant) => column(words(variant), "num"))];
  fill("behaviour-table", table(head, agents.map((agent) => {
    const cells = GROUPS.map((variant) => {
      const score = scoreOf(agent, variant);
      const change = changeOf(agent, variant);
      const link = scoreLink(score, `${agent}, ${words(variant)}`, groupFilter(agent, variant));
      const below = el("span", { class: "small" }, sizes(score));
      return el("td", { class: "num" }, link, change === null ? null : el("span", { class: "change" }, ` (${percent(change)})`), below);
    });
    return el("tr", {}, el("th", { scope: "row" }, agentName(agent)), cells);
  })));
}

function drawModes() {
  const present = MODES.filter((mode) => agents.some((agent) => report.agents[agent].overall.failure_modes[mode]));
  fill("modes-legend", present.map((mode) => el("li", {}, swatch(modeColour(mode)), words(mode))));
  fill("modes", agents.map((agent) => {
    const { sr, failure_modes: modes } = report.agents[agent].overall;
    const bar = svg("svg", { height: 22, role: "group", "aria-label": `failure modes of ${agent}` }, svg("rect", { class: "rail", width: "100%", height: 22, rx: 2 }));
    let failed = 0;
    for (const mode of present.filter((mode) => modes[mode])) {
      const share = { x: `${(failed / sr.n) * 100}%`, width: `${(modes[mode] / sr.n) * 100}%`, height: 22 };
      const text = `${agent}, ${words(mode)}\n${modes[mode]} of ${plural(sr.n, "scored episode")}`;
      bar.append(mark("rect", { ...share, class: `mark ${modeColour(mode)}` }, text, () => showEpisodes({ agent, mode })));
      failed += modes[mode];
    }
    return [el("span", { class: "name" }, el("bdi", {}, pieces(agent))), el("span", { class: "count" }, `${failed} of ${sr.n} failed`), bar];
  }));
}

/** Counts by name, a column for each agent; the most frequent first. */
function countTable(id, title, countsOf, nameNode) {
  const all = new Map();
  agents.forEach((agent, at) => {
    for (const [kind, counts] of Object.entries(countsOf(report.agents[agent].overall))) {
      for (const [name, count] of Object.entries(counts)) {
        const key = JSON.stringify([kind, name]);
        if (!all.has(key)) all.set(key, agents.map(() => 0));
        all.get(key)[at] = count;
      }
    }
  });
  const total = (counts) => counts.reduce((sum, count) => sum + count, 0);
  const lines = [...all].sort((a, b) => total(b[1]) - total(a[1]) || (a[0] < b[0] ? -1 : 1));
  byId(`${id}-fold`).hidden = lines.length === 0;
  fill(id, table([column(title[0]), title[1] ? column(title[1]) : null, ...agents.map((agent) => column(agent, "num"))], lines.map(([key, counts]) => {
    const [kind, name] = JSON.parse(key);
    return el("tr", {}, el("th", { scope: "row" }, nameNode(name)), title[1] ? el("td", {}, words(kind)) : null, counts.map((count) => el("td", { class: "num" }, count || "–")));
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
        shown.map((quantity) => scoreCell(summary[quantity], `${agent}, ${name}, ${METRICS[quantity][0]}`, { ...chosen, agent })));
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
  drawMetrics();
  segmented("quantity", Object.entries(METRICS).slice(0, 6).map(([name, [label]]) => [name, label]), quantity, (name) => {
    quantity = name;
    drawBehaviour();
  });
  drawBehaviour();
  drawModes();
  countTable("mode-counts", ["failure mode"], (overall) => ({ all: overall.failure_modes }), words);
  const code = (name) => el("a", { class: "mono", href: filterHash({ text: name }), "data-jump": "episodes" }, name);
  countTable("findings", ["finding", "found by"], (overall) => overall.findings, code);
  countTable("missing", ["reason", "not scored"], (overall) => overall.not_scored, (reason) => reason);
  segmented("grouping", GROUPINGS, grouping, (name) => {
    grouping = name;
    drawGroups();
  });
  drawGroups();
  new ResizeObserver(drawChart).observe(byId("chart"));
}
