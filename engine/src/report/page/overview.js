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
  copy.addEventListener("click", () => navigator.clipboard.writeText(report.digest).then(() => { copy.textContent = "Copied"; }));
  const named = agents.length === 1 ? agents[0] : `${agents.length} agents`;
  byId("title").textContent = agents.length ? `Run of ${named}` : "Run without an episode";
  document.title = `probity report: ${agents.join(", ")}`;
}

function meter(value, className) {
  return svg("svg", { class: `meter ${className}`, "aria-hidden": "true", preserveAspectRatio: "none" },
    svg("rect", { class: "rail", width: "100%", height: "4", rx: "2" }),
    value === null ? null : svg("rect", { class: "fill", width: `${value * 100}%`, height: "4", rx: "2" }));
}

function scoreCell(score, className) {
  return el("td", { class: "num" }, number(score.value), meter(score.value, className), el("span", { class: "small" }, sizes(score)));
}

function drawAgents() {
  const names = Object.entries(QUANTITIES);
  const head = [column("agent"), column("episodes", "num"), ...names.map(([, [label]]) => column(label, "num"))];
  fill("agents", table(head, agents.map((agent) => {
    const overall = report.agents[agent].overall;
    const cells = names.map(([name]) => scoreCell(overall[name], agentColour(agent)));
    return el("tr", {}, el("th", { scope: "row" }, swatch(agentColour(agent)), agent),
      el("td", { class: "num" }, overall.episodes.toLocaleString("en")), cells);
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
  const value = score && score.value !== null ? number(score.value) : "not scored";
  return `${agent}, ${words(variant)}\n${QUANTITIES[quantity][0]} ${value}`
    + (change === null ? "" : ` (${percent(change)} against ideal)`) + `\n${sizes(score)}`;
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
    "aria-label": `${QUANTITIES[quantity][0]} by user behaviour; the table below holds the same numbers`,
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
  byId("quantity-note").textContent = QUANTITIES[quantity][1];
  fill("chart-legend", agents.map((agent) => el("li", {}, swatch(agentColour(agent)), agent)));
  drawChart();
  const head = [column("agent"), ...GROUPS.map((variant) => column(words(variant), "num"))];
  fill("behaviour-table", table(head, agents.map((agent) => {
    const cells = GROUPS.map((variant) => {
      const score = scoreOf(agent, variant);
      const change = changeOf(agent, variant);
      const link = el("a", { class: "cell", href: filterHash(groupFilter(agent, variant)), "data-jump": "episodes" }, number(score?.value));
      return el("td", { class: "num" }, link, change === null ? null : ` (${percent(change)})`, el("span", { class: "small" }, sizes(score)));
    });
    return el("tr", {}, el("th", { scope: "row" }, swatch(agentColour(agent)), agent), cells);
  })));
}

function drawModes() {
  const present = MODES.filter((mode) => agents.some((agent) => report.agents[agent].overall.failure_modes[mode]));
  fill("modes-legend", present.map((mode) => el("li", {}, swatch(colour(MODES.indexOf(mode))), words(mode))));
  fill("modes", agents.map((agent) => {
    const { sr, failure_modes: modes } = report.agents[agent].overall;
    const bar = svg("svg", { height: 22, role: "group", "aria-label": `failure modes of ${agent}` }, svg("rect", { class: "rail", width: "100%", height: 22, rx: 2 }));
    let failed = 0;
    for (const mode of present.filter((mode) => modes[mode])) {
      const share = { x: `${(failed / sr.n) * 100}%`, width: `${(modes[mode] / sr.n) * 100}%`, height: 22 };
      const text = `${agent}, ${words(mode)}\n${modes[mode]} of ${plural(sr.n, "scored episode")}`;
      bar.append(mark("rect", { ...share, class: `mark ${colour(MODES.indexOf(mode))}` }, text, () => showEpisodes({ agent, mode })));
      failed += modes[mode];
    }
    return [el("span", {}, agent), bar, el("span", { class: "count" }, `${failed} of ${sr.n} failed`)];
  }));
}

/** Counts by name, a column for each agent; the most frequent first. */
function countTable(id, title, countsOf, link) {
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
  fill(id, table([column(title[0]), column(title[1]), ...agents.map((agent) => column(agent, "num"))], lines.map(([key, counts]) => {
    const [kind, name] = JSON.parse(key);
    const shown = link ? el("a", { class: "mono", href: filterHash({ text: name }), "data-jump": "episodes" }, name) : name;
    return el("tr", {}, el("th", { scope: "row" }, shown), el("td", {}, words(kind)), counts.map((count) => el("td", { class: "num" }, count || "–")));
  })));
}

let grouping = "environments";
const GROUPINGS = [["domains", "Domain"], ["environments", "Environment"], ["difficulties", "Difficulty"], ["tasks", "Task"]];
const GROUP_FILTERS = { environments: "environment", difficulties: "difficulty", tasks: "text", domains: "text" };

function drawGroups() {
  const found = new Set(agents.flatMap((agent) => Object.keys(report.agents[agent][grouping])));
  const order = grouping === "difficulties" ? DIFFICULTIES : [...found].sort();
  const shown = ["sr", "honesty", "discipline"];
  const head = [column(GROUPINGS.find(([name]) => name === grouping)[1].toLowerCase()), column("agent"), ...shown.map((name) => column(QUANTITIES[name][0], "num"))];
  const lines = order.filter((name) => found.has(name)).flatMap((name) => {
    const playing = agents.filter((agent) => report.agents[agent][grouping][name]);
    return playing.map((agent, at) => {
      const value = grouping === "domains" ? name + "/" : name;
      const link = el("a", { href: filterHash({ [GROUP_FILTERS[grouping]]: value }), "data-jump": "episodes" }, name);
      const title = at === 0 ? el("th", { scope: "rowgroup", rowspan: playing.length }, link) : null;
      const summary = report.agents[agent][grouping][name];
      return el("tr", {}, title, el("td", {}, swatch(agentColour(agent)), agent),
        shown.map((quantity) => scoreCell(summary[quantity], agentColour(agent))));
    });
  });
  fill("groups-table", table(head, lines));
}

function drawOverview() {
  drawIntro();
  drawAgents();
  segmented("quantity", Object.entries(QUANTITIES).slice(0, 6).map(([name, [label]]) => [name, label]), quantity, (name) => {
    quantity = name;
    drawBehaviour();
  });
  drawBehaviour();
  drawModes();
  countTable("findings", ["finding", "found by"], (overall) => overall.findings, true);
  countTable("missing", ["reason", "not scored"], (overall) => overall.not_scored, false);
  segmented("grouping", GROUPINGS, grouping, (name) => {
    grouping = name;
    drawGroups();
  });
  drawGroups();
  new ResizeObserver(drawChart).observe(byId("chart"));
}
