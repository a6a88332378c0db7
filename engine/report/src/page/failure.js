// Why episodes failed: failure modes of each agent under each behaviour, and what was found.

let panelsBy = "agent";

/** The failed episodes of an agent under a behaviour: how many were scored, and how many failed in which way. */
function failuresOf(agent, variant) {
  const summary = summaryOf(agent, variant);
  const modes = summary?.failure_modes ?? {};
  const failed = MODES.reduce((sum, mode) => sum + (modes[mode] ?? 0), 0);
  return { scored: summary?.sr.n ?? 0, failed, modes };
}

function modesBar(agent, variant) {
  const { scored, modes } = failuresOf(agent, variant);
  const bar = svg("svg", { height: 16, role: "group", "aria-label": `failure modes of ${agent}, ${words(variant)}` },
    svg("rect", { class: "rail", width: "100%", height: 16, rx: 2 }));
  let before = 0;
  for (const mode of MODES.filter((mode) => modes[mode])) {
    const share = { x: `${(before / scored) * 100}%`, width: `${(modes[mode] / scored) * 100}%`, height: 16 };
    const text = `${agent}, ${words(variant)}, ${words(mode)}\n${modes[mode]} of ${plural(scored, "scored episode")}`;
    bar.append(mark("rect", { ...share, class: `mark ${modeColour(mode)}` }, text, () => showEpisodes({ ...groupFilter(agent, variant), mode })));
    before += modes[mode];
  }
  return bar;
}

/** A panel of bars: the behaviours of an agent, or the agents under a behaviour. */
function modesPanel(title, lines) {
  const drawn = lines.filter(([, agent, variant]) => failuresOf(agent, variant).scored > 0);
  const axis = el("div", { class: "share", "aria-hidden": "true" }, ["0 %", "50 %", "100 %"].map((text) => el("span", {}, text)));
  return el("div", { class: "modes-panel" }, el("h3", {}, title), el("div", { class: "bars" }, drawn.map(([name, agent, variant]) => {
    const { scored, failed } = failuresOf(agent, variant);
    return [el("span", { class: variant === "overall" ? "label all" : "label" }, name), modesBar(agent, variant), el("span", { class: "count" }, `${failed} of ${scored}`)];
  }), el("span"), axis, el("span", { class: "count" }, "failed")));
}

function drawModes() {
  const failing = agents.filter((agent) => failuresOf(agent, "overall").failed > 0);
  const present = MODES.filter((mode) => failing.some((agent) => failuresOf(agent, "overall").modes[mode]));
  fill("modes-legend", present.map((mode) => el("li", {}, swatch(modeColour(mode)), words(mode))));
  const whole = agents.filter((agent) => !failing.includes(agent) && failuresOf(agent, "overall").scored > 0);
  fill("modes-none", whole.length ? ["No scored episode failed of: ", whole.map((agent, at) => [at ? ", " : "", el("bdi", {}, agent)]), "."] : "");
  fill("modes", panelsBy === "agent"
    ? failing.map((agent) => modesPanel(agentName(agent), GROUPS.map((variant) => [words(variant), agent, variant])))
    : GROUPS.map((variant) => modesPanel(words(variant), failing.map((agent) => [el("bdi", {}, pieces(agent)), agent, variant]))));
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

function drawFailures() {
  segmented("modes-by", [["agent", "Agent"], ["variant", "Behaviour"]], panelsBy, (by) => {
    panelsBy = by;
    drawModes();
  });
  drawModes();
  const finding = (name) => el("a", { class: "mono", href: filterHash({ finding: name }), "data-jump": "episodes" }, name);
  countTable("mode-counts", ["failure mode"], (overall) => ({ all: overall.failure_modes }), words);
  countTable("blames", ["to blame"], (overall) => ({ all: overall.blames ?? {} }), words);
  countTable("findings", ["finding", "found by"], (overall) => overall.findings, finding);
  countTable("missing", ["reason", "not scored"], (overall) => overall.not_scored, (reason) => reason);
}
