// The figures by user behaviour: each quantity with its intervals, and its change against the ideal user.

let quantity = "sr";

/** The agents that are drawn: as many as there are colours, until the reader chooses others. */
const COLOURS = 8;
const drawn = new Set(byTier.slice(0, COLOURS));
const drawnAgents = () => byTier.filter((agent) => drawn.has(agent));

/** The summary of an agent under a behaviour, or of all its episodes. */
function summaryOf(agent, variant) {
  const of = report.agents[agent];
  return variant === "overall" ? of.overall : of.variants[variant];
}

const scoreOf = (agent, variant, name = quantity) => summaryOf(agent, variant)?.[name] ?? null;
const valueOf = (agent, variant, name = quantity) => scoreOf(agent, variant, name)?.value ?? null;
const intervalOf = (agent, variant, name = quantity) => summaryOf(agent, variant)?.intervals?.[name] ?? null;

/** A value against that of ideal, relatively; nothing where ideal is 0 or either is not scored. */
const relative = (value, ideal) => (value === null || !(ideal > 0) ? null : (value - ideal) / ideal);

/** The change against ideal, as the report counts it. */
function changeOf(agent, variant) {
  return variant === "overall" || variant === "ideal" ? null : relative(valueOf(agent, variant), valueOf(agent, "ideal"));
}

const GROUPS = [...VARIANTS, "overall"];
const groupFilter = (agent, variant) => ({ agent, variant: variant === "overall" ? "" : variant });

function barText(agent, variant) {
  const change = changeOf(agent, variant);
  return `${agent}, ${words(variant)}\n${METRICS[quantity][0]} ${inFull(scoreOf(agent, variant), intervalOf(agent, variant))}`
    + (change === null ? "" : `\n${percent(change)} against ideal`);
}

function groupSizes(variant) {
  const counts = drawnAgents().map((agent) => scoreOf(agent, variant)?.n ?? 0);
  if (!counts.length) return "";
  const [low, high] = [Math.min(...counts), Math.max(...counts)];
  return low === high ? `n ${low}` : `n ${low}–${high}`;
}

/** Both figures: what they show of an agent under a behaviour, from where to where, and how it is written. */
const FIGURES = [
  {
    box: "chart", groups: GROUPS, of: (agent, variant) => valueOf(agent, variant), interval: (agent, variant) => intervalOf(agent, variant),
    range: () => [0, 1], write: number, widest: 30, label: 26, tick: String, below: groupSizes, title: () => `${METRICS[quantity][0]} by user behaviour`,
  },
  {
    box: "change-chart", groups: VARIANTS.slice(1), of: changeOf, interval: () => null, range: changeRange, write: percent, widest: 44, label: 38, tick: percent,
    below: () => "", title: () => `Change of ${METRICS[quantity][0]} against the ideal user`,
  },
];

/** From the greatest loss to the greatest gain, in whole quarters. */
function changeRange() {
  const changes = drawnAgents().flatMap((agent) => VARIANTS.map((variant) => changeOf(agent, variant) ?? 0));
  const [low, high] = [Math.floor(Math.min(0, ...changes) * 4) / 4, Math.ceil(Math.max(0, ...changes) * 4) / 4];
  return low === high ? [-0.25, 0.25] : [low, high];
}

function ticksOf([low, high]) {
  const step = high - low > 1.5 ? (high - low > 4 ? 1 : 0.5) : 0.25;
  const ticks = [];
  for (let value = Math.ceil(low / step) * step; value <= high + 1e-9; value += step) ticks.push(value);
  return ticks;
}

function drawCharts() {
  for (const figure of FIGURES) {
    const box = byId(figure.box);
    if (!box.clientWidth || !agents.length) continue;
    box.replaceChildren(box.clientWidth < 620 ? barsAcross(figure, box.clientWidth) : barsUp(figure, box.clientWidth));
  }
}

const SHORT = {
  ideal: ["ideal"], underspecification: ["under-", "specification"], information_overload: ["information", "overload"],
  fabricated_parameters: ["fabricated", "parameters"], goal_switching: ["goal", "switching"],
  contradictory_constraints: ["contradictory", "constraints"], impatience_and_hostility: ["impatience", "and hostility"],
  overall: ["overall"],
};

function chartFrame(figure, width, height) {
  return svg("svg", {
    viewBox: `0 0 ${width} ${height}`, width, height, role: "group",
    "aria-label": `${figure.title()}; the table below holds the same numbers`,
  });
}

/** A bar that tells its number in full and leads to its episodes; where there is none, room to hover. */
function barMark(agent, variant, value, box) {
  const shape = { class: `${value === null ? "hit" : "mark"} ${agentColour(agent)}`, rx: 1.5, ...box };
  return mark("rect", shape, barText(agent, variant), () => showEpisodes(groupFilter(agent, variant)));
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
  const [left, top, plot, bottom] = [54, 20, 200, foot + (figure.below("ideal") ? 58 : 42)];
  const y = (value) => top + plot * (1 - (value - range[0]) / (range[1] - range[0]));
  const frame = chartFrame(figure, width, top + plot + bottom);
  for (const value of ticksOf(range)) {
    frame.append(svg("line", { class: value ? "grid" : "axis", x1: left, x2: width, y1: y(value), y2: y(value) }),
      svg("text", { x: left - 8, y: y(value) + 4, "text-anchor": "end" }, figure.tick(value)));
  }
  const apart = figure.groups.includes("overall") ? 0.25 : 0;
  const slot = (width - left) / (figure.groups.length + apart);
  const bar = Math.min(figure.widest, (slot * 0.82) / Math.max(1, drawnAgents().length));
  figure.groups.forEach((variant, at) => {
    const centre = left + slot * (at + 0.5 + (variant === "overall" ? apart : 0));
    const lines = [...SHORT[variant], figure.below(variant)];
    lines.forEach((line, row) => frame.append(svg("text", {
      x: centre, y: top + plot + foot + 18 + row * 15, "text-anchor": "middle", class: row < lines.length - 1 ? "strong" : "",
    }, line)));
    drawnAgents().forEach((agent, place, all) => frame.append(...barUp(figure, agent, variant, centre + (place - all.length / 2) * bar, bar, y)));
  });
  return frame;
}

function barUp(figure, agent, variant, x, bar, y) {
  const value = figure.of(agent, variant);
  const interval = figure.interval(agent, variant);
  const [zero, end] = [y(0), y(value ?? 0)];
  const height = value === null ? 16 : Math.max(2, Math.abs(zero - end));
  const start = value !== null && value < 0 ? zero : zero - height;
  const beyond = value === null ? zero - 5 : value < 0 ? end + 14 : Math.min(start, interval ? y(interval[1]) : start) - 5;
  const parts = [barMark(agent, variant, value, { x: x + 0.75, width: Math.max(1, bar - 1.5), y: start, height })];
  if (interval && value !== null && bar >= 4) parts.push(...whisker("y", "x", y(interval[0]), y(interval[1]), x + bar / 2, Math.min(4, bar / 4)));
  if (value === null ? bar >= 7 : bar >= figure.label) parts.push(svg("text", { x: x + bar / 2, y: beyond, "text-anchor": "middle", "aria-hidden": "true" }, value === null ? "–" : figure.write(value)));
  return parts;
}

function barsAcross(figure, width) {
  const [line, gap, room] = [18, 14, 48];
  const range = figure.range();
  const x = (value) => ((value - range[0]) / (range[1] - range[0])) * (width - room);
  const height = figure.groups.length * (22 + drawn.size * line + gap);
  const frame = chartFrame(figure, width, height);
  let y = 0;
  for (const variant of figure.groups) {
    frame.append(svg("text", { x: 0, y: y + 14, class: "strong" }, words(variant)),
      svg("text", { x: width, y: y + 14, "text-anchor": "end" }, figure.below(variant)));
    y += 22;
    frame.append(svg("line", { class: "axis", x1: x(0), x2: x(0), y1: y - 3, y2: y + drawn.size * line }));
    for (const agent of drawnAgents()) {
      frame.append(...barAcross(figure, agent, variant, y, line, x));
      y += line;
    }
    y += gap;
  }
  return frame;
}

function barAcross(figure, agent, variant, y, line, x) {
  const value = figure.of(agent, variant);
  const interval = figure.interval(agent, variant);
  const [zero, end] = [x(0), x(value ?? 0)];
  const length = value === null ? 24 : Math.max(2, Math.abs(end - zero));
  const start = value !== null && value < 0 ? zero - length : zero;
  const beyond = (value === null ? zero : Math.max(zero, end, interval ? x(interval[1]) : 0)) + 6;
  const parts = [barMark(agent, variant, value, { x: start, y, width: length, height: line - 4 })];
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

function drawBehaviour() {
  const [label, sentence, formula] = METRICS[quantity];
  fill("quantity-note", `${sentence} `, el("code", {}, formula), " ", metricLink(quantity, "What it means"));
  fill("chart-legend", byTier.map((agent) => el("li", {}, legendButton(agent))));
  const known = agents.some((agent) => GROUPS.some((variant) => intervalOf(agent, variant)));
  fill("chart-title", `${label} under each behaviour`, known ? "; lines are 95 % intervals over tasks drawn anew" : "");
  fill("change-title", `Change of ${label} against the ideal user`);
  drawCharts();
  drawTiers();
}
