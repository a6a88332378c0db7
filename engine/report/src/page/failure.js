// Why episodes failed: the words of the drawn tag for each agent at each level, and what was found.

let panelsBy = "agent";

/** The labelled episodes of an agent at a level: how many were scored, and how many have which word. */
function labelledOf(agent, level) {
  const summary = summaryOf(agent, level);
  const counts = summary?.tags?.[drawnTag.name] ?? {};
  const labelled = drawnTag.words.reduce((sum, word) => sum + (counts[word] ?? 0), 0);
  return { scored: summary?.metrics[headline.name].n ?? 0, labelled, counts };
}

function modesBar(agent, level) {
  const { scored, counts } = labelledOf(agent, level);
  const bar = svg("svg", { height: 16, role: "group", "aria-label": `${drawnTag.title} of ${agent}, ${groupName(level)}` },
    svg("rect", { class: "rail", width: "100%", height: 16, rx: 2 }));
  let before = 0;
  for (const word of drawnTag.words.filter((word) => counts[word])) {
    const share = { x: `${(before / scored) * 100}%`, width: `${(counts[word] / scored) * 100}%`, height: 16 };
    const text = `${agent}, ${groupName(level)}, ${words(word)}\n${counts[word]} of ${plural(scored, "scored episode")}`;
    bar.append(mark("rect", { ...share, class: `mark ${wordColour(word)}` }, text, () => showEpisodes({ ...groupFilter(agent, level), [drawnTag.name]: word })));
    before += counts[word];
  }
  return bar;
}

/** A panel of bars: the levels of an agent, or the agents at a level. */
function modesPanel(title, lines) {
  const drawn = lines.filter(([, agent, level]) => labelledOf(agent, level).scored > 0);
  const axis = el("div", { class: "share", "aria-hidden": "true" }, ["0 %", "50 %", "100 %"].map((text) => el("span", {}, text)));
  return el("div", { class: "modes-panel" }, el("h3", {}, title), el("div", { class: "bars" }, drawn.map(([name, agent, level]) => {
    const { scored, labelled } = labelledOf(agent, level);
    return [el("span", { class: level === ALL ? "label all" : "label" }, name), modesBar(agent, level), el("span", { class: "count" }, `${labelled} of ${scored}`)];
  }), el("span"), axis, el("span", { class: "count" }, hasVerdicts ? "failed" : "labelled")));
}

function drawModes() {
  const has = agents.filter((agent) => labelledOf(agent, ALL).labelled > 0);
  const present = drawnTag.words.filter((word) => has.some((agent) => labelledOf(agent, ALL).counts[word]));
  fill("modes-legend", present.map((word) => el("li", {}, swatch(wordColour(word)), words(word))));
  const whole = agents.filter((agent) => !has.includes(agent) && labelledOf(agent, ALL).scored > 0);
  const none = [hasVerdicts ? "No scored episode failed of: " : "None of: ", whole.map((agent, at) => [at ? ", " : "", el("bdi", {}, agent)]), "."];
  fill("modes-note", el("span", {}, `Each bar is the share of scored episodes ${hasVerdicts ? "that failed, " : ""}by `, metricLink(drawnTag.name, titleOf(drawnTag)), ". ", whole.length ? none : null));
  fill("modes", panelsBy === "agent"
    ? has.map((agent) => modesPanel(agentName(agent), GROUPS.map((level) => [groupName(level), agent, level])))
    : GROUPS.map((level) => modesPanel(groupName(level), has.map((agent) => [el("bdi", {}, pieces(agent)), agent, level]))));
}

/** Counts by name, a column for each agent; the most frequent first. Nothing where nothing was counted. */
function countTable(title, countsOf, nameNode) {
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
  return lines.length === 0 ? null : table([column(title[0]), title[1] ? column(title[1]) : null, ...agents.map((agent) => column(agent, "num"))], lines.map(([key, counts]) => {
    const [kind, name] = JSON.parse(key);
    return el("tr", {}, el("th", { scope: "row" }, nameNode(name)), title[1] ? el("td", {}, words(kind)) : null, counts.map((count) => el("td", { class: "num" }, count || "–")));
  }));
}

function countFold(id, counted) {
  byId(`${id}-fold`).hidden = !counted;
  if (counted) fill(id, counted);
}

/** The counts of a tag, behind a line that opens them. */
function tagFold(tag) {
  const title = tag === drawnTag ? `${capital(tag.title)} in numbers` : capital(tag.title);
  const counted = countTable([titleOf(tag)], (overall) => ({ all: overall.tags?.[tag.name] ?? {} }), words);
  return counted && el("details", { class: "fold" }, el("summary", {}, title),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title }, counted));
}

function drawFailures() {
  if (hasVerdicts) {
    byId("failures-title").textContent = logs ? "What was found" : "Why episodes failed";
    byId("to-failures").textContent = logs ? "Findings" : "Failures";
  }
  byId("modes-by").hidden = !drawnTag || !columns;
  if (drawnTag) {
    segmented("modes-by", [["agent", "Agent"], ["level", columns?.title]], panelsBy, (by) => {
      panelsBy = by;
      drawModes();
    });
    drawModes();
  }
  fill("tags", tags.map(tagFold).filter(Boolean));
  const finding = (name) => el("a", { class: "mono", href: filterHash({ finding: name }), "data-jump": "episodes" }, name);
  countFold("findings", countTable(["finding", "found by"], (overall) => overall.findings ?? {}, finding));
  const reasons = ({ metrics: scores }) => Object.fromEntries(metrics.map(({ name, title }) => [title, scores[name].reasons ?? {}]));
  countFold("missing", countTable(["reason", "not scored"], reasons, (reason) => reason));
}
