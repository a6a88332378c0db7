// The figures by the levels of a setting: each quantity with its intervals, and its change against the baseline.

let quantity = headline;

/** The agents that are drawn: as many as there are colours, until the reader chooses others. */
const COLOURS = 8;
const drawn = new Set(byTier.slice(0, COLOURS));
const drawnAgents = () => byTier.filter((agent) => drawn.has(agent));

/** In place of a level: all episodes. */
const ALL = "";
const LEVELS = columns ? allLevels(columns) : [];
const GROUPS = [...LEVELS, ALL];
const groupName = (level) => (level === ALL ? "overall" : levelName(columns, level));
const groupFilter = (agent, level) => ({ agent, ...(columns ? { [columns.name]: level } : {}) });

/** The summary of an agent at a level, or of all its episodes. */
function summaryOf(agent, level) {
  const of = report.agents[agent];
  return level === ALL ? of.overall : of.factors[columns.name]?.[level];
}

const scoreOf = (agent, level, metric = quantity) => summaryOf(agent, level)?.metrics[metric.name] ?? null;
const valueOf = (agent, level, metric = quantity) => scoreOf(agent, level, metric)?.value ?? null;
const intervalOf = (agent, level) => {
  const interval = scoreOf(agent, level)?.interval ?? null;
  return isWide(interval) ? interval : null;
};
/** The change against the baseline, as the report counts it. */
const changeOf = (agent, level) => scoreOf(agent, level)?.change ?? null;

function barText(agent, level) {
  const change = changeOf(agent, level);
  return `${agent}, ${groupName(level)}\n${quantity.title} ${inFull(scoreOf(agent, level), quantity)}`
    + (change === null ? "" : `\n${percent(change)} against ${words(baseline)}`);
}

function groupSizes(level) {
  const counts = drawnAgents().map((agent) => scoreOf(agent, level)?.n ?? 0);
  if (!counts.length) return "";
  const [low, high] = [Math.min(...counts), Math.max(...counts)];
  return low === high ? `n ${low}` : `n ${low}–${high}`;
}

const figureTitle = () => `${quantity.title}${columns ? ` by ${columns.title.toLowerCase()}` : ""}`;
const changeTitle = () => `Change of ${quantity.title} against ${words(baseline)}`;

/** The figures: what they show of an agent at a level, from where to where, and how it is written. */
const FIGURES = [
  {
    box: "chart", none: "chart-none", groups: GROUPS, of: (agent, level) => valueOf(agent, level), interval: intervalOf,
    range: valueRange, write: (value) => written(value, quantity), widest: 30, label: 26, tick: plainly, below: groupSizes, title: figureTitle,
  },
  {
    box: "change-chart", none: "change-none", groups: LEVELS.filter((level) => level !== baseline), of: changeOf, interval: () => null,
    range: changeRange, write: percent, widest: 44, label: 38, tick: percent, below: () => "", title: changeTitle,
  },
].slice(0, baseline ? 2 : 1);

/** The range of the quantity; where it has no end, as far as there are values. */
function valueRange() {
  const values = drawnAgents().flatMap((agent) => GROUPS.flatMap((level) => [valueOf(agent, level) ?? 0, ...(intervalOf(agent, level) ?? [])]));
  const low = quantity.range[0] ?? Math.min(0, ...values);
  const high = quantity.range[1] ?? Math.max(0, ...values);
  return low < high ? [low, high] : [low, low + 1];
}

/** From the greatest loss to the greatest gain, in whole quarters. */
function changeRange() {
  const changes = drawnAgents().flatMap((agent) => LEVELS.map((level) => changeOf(agent, level) ?? 0));
  const [low, high] = [Math.floor(Math.min(0, ...changes) * 4) / 4, Math.ceil(Math.max(0, ...changes) * 4) / 4];
  return low === high ? [-0.25, 0.25] : [low, high];
}

/** Where bars stand: at 0, or at the end of the range that is nearest to it. */
const footOf = ([low, high]) => Math.min(Math.max(0, low), high);

/** A chart whose bars are all 0 says as much in a sentence. */
function isFlat(figure) {
  return figure.groups.every((level) => drawnAgents().every((agent) => !figure.of(agent, level)));
}

function drawCharts() {
  for (const figure of FIGURES) {
    const box = byId(figure.box);
    const flat = isFlat(figure);
    box.parentElement.hidden = flat;
    byId(figure.none).hidden = !flat;
    if (flat) {
      box.replaceChildren();
      continue;
    }
    if (!box.clientWidth || !agents.length) continue;
    box.replaceChildren(box.clientWidth < 620 ? barsAcross(figure, box.clientWidth) : barsUp(figure, box.clientWidth));
  }
}

/** The title of a level, in lines. */
function groupLines(level) {
  return columns?.levels.find(({ name }) => name === level)?.title ?? [groupName(level)];
}

function chartFrame(figure, width, height) {
  return svg("svg", {
    viewBox: `0 0 ${width} ${height}`, width, height, role: "group",
    "aria-label": `${figure.title()}; the table below holds the same numbers`,
  });
}

/** A bar that tells its number in full and leads to its episodes; where there is none, room to hover. */
function barMark(agent, level, value, box) {
  const shape = { class: `${value === null ? "hit" : "mark"} ${agentColour(agent)}`, rx: 1.5, ...box };
  return mark("rect", shape, barText(agent, level), () => showEpisodes(groupFilter(agent, level)));
}

/** A line with ends along one axis. */
function whisker(along, across, from, to, at, reach) {
  const line = (a, b, c, d) => svg("line", { class: "whisker", [`${along}1`]: a, [`${along}2`]: b, [`${across}1`]: c, [`${across}2`]: d });
  return [line(from, to, at, at), line(from, from, at - reach, at + reach), line(to, to, at - reach, at + reach)];
}

function barsUp(figure, width) {
  const range = figure.range();
  // Below bars that hang there is room for their numbers.
  const foot = range[0] < 0 ? 16 : 0;
  const [left, top, plot] = [54, 20, 200];
  const most = Math.max(...figure.groups.map((level) => groupLines(level).length));
  const bottom = foot + 12 + 15 * Math.max(2, most) + (figure.below(ALL) ? 16 : 0);
  const y = (value) => top + plot * (1 - (value - range[0]) / (range[1] - range[0]));
  const zero = footOf(range);
  const frame = chartFrame(figure, width, top + plot + bottom);
  for (const value of ticksOf(range)) {
    frame.append(svg("line", { class: value === zero ? "axis" : "grid", x1: left, x2: width, y1: y(value), y2: y(value) }),
      svg("text", { x: left - 8, y: y(value) + 4, "text-anchor": "end" }, figure.tick(value)));
  }
  const apart = figure.groups.length > 1 && figure.groups.includes(ALL) ? 0.25 : 0;
  const slot = (width - left) / (figure.groups.length + apart);
  const bar = Math.min(figure.widest, (slot * 0.82) / Math.max(1, drawnAgents().length));
  figure.groups.forEach((level, at) => {
    const centre = left + slot * (at + 0.5 + (level === ALL ? apart : 0));
    const lines = [...groupLines(level), figure.below(level)];
    lines.forEach((line, row) => frame.append(svg("text", {
      x: centre, y: top + plot + foot + 18 + row * 15, "text-anchor": "middle", class: row < lines.length - 1 ? "strong" : "",
    }, line)));
    drawnAgents().forEach((agent, place, all) => frame.append(...barUp(figure, agent, level, centre + (place - all.length / 2) * bar, bar, y, zero)));
  });
  return frame;
}

function barUp(figure, agent, level, x, bar, y, from) {
  const value = figure.of(agent, level);
  const interval = figure.interval(agent, level);
  const [zero, end] = [y(from), y(value ?? from)];
  const hangs = value !== null && value < from;
  const height = value === null ? 16 : Math.max(2, Math.abs(zero - end));
  const start = hangs ? zero : zero - height;
  const beyond = value === null ? zero - 5 : hangs ? end + 14 : Math.min(start, interval ? y(interval[1]) : start) - 5;
  const parts = [barMark(agent, level, value, { x: x + 0.75, width: Math.max(1, bar - 1.5), y: start, height })];
  if (interval && value !== null && bar >= 4) parts.push(...whisker("y", "x", y(interval[0]), y(interval[1]), x + bar / 2, Math.min(4, bar / 4)));
  const text = value === null ? "–" : figure.write(value);
  if (bar >= (value === null ? 7 : Math.max(figure.label, 6.5 * text.length))) parts.push(svg("text", { x: x + bar / 2, y: beyond, "text-anchor": "middle", "aria-hidden": "true" }, text));
  return parts;
}

function barsAcross(figure, width) {
  const [line, gap, room] = [18, 14, 48];
  const range = figure.range();
  const x = (value) => ((value - range[0]) / (range[1] - range[0])) * (width - room);
  const zero = footOf(range);
  const height = figure.groups.length * (22 + drawn.size * line + gap);
  const frame = chartFrame(figure, width, height);
  let y = 0;
  for (const level of figure.groups) {
    frame.append(svg("text", { x: 0, y: y + 14, class: "strong" }, groupName(level)),
      svg("text", { x: width, y: y + 14, "text-anchor": "end" }, figure.below(level)));
    y += 22;
    frame.append(svg("line", { class: "axis", x1: x(zero), x2: x(zero), y1: y - 3, y2: y + drawn.size * line }));
    for (const agent of drawnAgents()) {
      frame.append(...barAcross(figure, agent, level, y, line, x, zero));
      y += line;
    }
    y += gap;
  }
  return frame;
}

function barAcross(figure, agent, level, y, line, x, from) {
  const value = figure.of(agent, level);
  const interval = figure.interval(agent, level);
  const [zero, end] = [x(from), x(value ?? from)];
  const length = value === null ? 24 : Math.max(2, Math.abs(end - zero));
  const start = value !== null && value < from ? zero - length : zero;
  const beyond = (value === null ? zero : Math.max(zero, end, interval ? x(interval[1]) : 0)) + 6;
  const parts = [barMark(agent, level, value, { x: start, y, width: length, height: line - 4 })];
  if (interval && value !== null) parts.push(...whisker("x", "y", x(interval[0]), x(interval[1]), y + (line - 4) / 2, 3));
  parts.push(svg("text", { x: beyond, y: y + 11, "aria-hidden": "true" }, value === null ? "–" : figure.write(value)));
  return parts;
}

/** An entry of the legend that takes its agent into the figures, or out of them. */
function legendButton(agent) {
  const press = () => {
    if (!drawn.delete(agent)) drawn.add(agent);
    button.setAttribute("aria-pressed", String(drawn.has(agent)));
    drawCharts();
  };
  const button = el("button", { type: "button", class: "entry", "aria-pressed": String(drawn.has(agent)), title: "drawn or not", onclick: press }, agentName(agent));
  return button;
}

function drawQuantity() {
  fill("quantity-note", `${quantity.meaning} `, el("code", {}, quantity.formula), " ", metricLink(quantity.name, "What it means"));
  fill("chart-legend", byTier.map((agent) => el("li", {}, legendButton(agent))));
  const known = agents.some((agent) => GROUPS.some((level) => intervalOf(agent, level)));
  fill("chart-title", figureTitle(), known ? say("; lines are 95 % intervals over tasks drawn anew") : "");
  fill("change-title", baseline ? changeTitle() : "");
  byId("change-figure").hidden = !baseline;
  byId("chart-none").textContent = `${quantity.title} is 0 everywhere, or not scored: there is nothing to draw.`;
  byId("change-none").textContent = baseline ? `${quantity.title} is the same as at ${words(baseline)} everywhere, or not scored: there is no change to draw.` : "";
  drawCharts();
  drawTiers();
}
