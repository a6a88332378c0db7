// A metric of each agent over the runs, in the order in which they were given.

/** The agents that are drawn: as many as there are colours, until the reader chooses others. */
const COLOURS = 8;
/** Entries of the legend at most: the filter finds the others. */
const ENTRIES = 40;
let drawn = new Set();

const drawnAgents = () => suite.agents.filter((agent) => (choice.agent ? agent === choice.agent : drawn.has(agent)));

/** The range of the metric; where it has no end, as far as there are values. */
function trendRange(points) {
  const values = points.flatMap(({ score }) => [score.value, ...(score.interval ?? [])]);
  const low = quantity.range[0] ?? Math.min(0, ...values);
  const high = quantity.range[1] ?? Math.max(0, ...values);
  return low < high ? [low, high] : [low, low + 1];
}

function pointsOf(agent) {
  const points = suite.rows.filter((row) => row.name === agent && isChosen(row)).map((row) => ({ row, score: metricScore(row, quantity) }));
  return points.filter(({ score }) => score.value !== null);
}

const labelOf = ({ number, label }) => `#${number} ${label}`;
/** A long text, cut. */
const brief = (text, most) => (text.length > most ? `${[...text].slice(0, most - 1).join("")}…` : text);

function pointText({ row, score }) {
  return [`${brief(row.name, 80)}${row.what === row.name ? "" : ` (${brief(row.what, 80)})`}, run ${brief(labelOf(row.run.run), 80)}`, `${quantity.title} ${inFull(score, quantity)}`, ...row.why.slice(0, 1).map((why) => `not ranked: ${brief(why, 120)}`)].join("\n");
}

function drawPoint(frame, point, className, x, y, radius) {
  const { score, row } = point;
  if (isWide(score.interval)) frame.append(svg("line", { class: `span ${className}`, x1: x, x2: x, y1: y(score.interval[0]), y2: y(score.interval[1]) }));
  const open = () => {
    choose({ run: String(row.run.run.number) });
    jump("ranking");
    byId("ranking").focus({ preventScroll: true });
  };
  frame.append(mark("circle", { class: `dot ${className}${row.why.length ? " hollow" : ""}`, cx: x, cy: y(score.value), r: radius }, pointText(point), open));
}

/** A label below every so many runs: their numbers, and what they are called where there is room. */
function drawRuns(frame, x, slot, foot) {
  const every = Math.max(1, Math.ceil(34 / slot));
  suite.runs.forEach(({ run }, at) => {
    if (at % every) return;
    const text = (line, row) => svg("text", { x: x(at), y: foot + 18 + row * 15, "text-anchor": "middle" }, line);
    frame.append(text(run.number, 0));
    if (slot >= 60) frame.append(text(brief(run.label, Math.floor(slot / 7)), 1));
  });
}

function drawTrend() {
  const box = byId("trend-chart");
  const series = drawnAgents().map((agent) => [agent, pointsOf(agent)]);
  const points = series.flatMap(([, own]) => own);
  fill("trend-caption", `${quantity.title} over the runs; lines are 95 % intervals`);
  if (!points.length) return fill("trend-chart", el("p", { class: "empty" }, "Nothing that is chosen here has a score."));
  const [width, left, top, plot] = [box.clientWidth, 44, 14, 240];
  const slot = (width - left - 8) / suite.runs.length;
  const x = (at) => left + slot * (at + 0.5);
  const range = trendRange(points);
  const y = (value) => top + plot * (1 - (value - range[0]) / (range[1] - range[0]));
  const frame = svg("svg", { viewBox: `0 0 ${width} ${top + plot + 46}`, width, height: top + plot + 46, role: "group", "aria-label": `${quantity.title} of ${plural(series.length, "agent")} over ${plural(suite.runs.length, "run")}; the table above holds the same numbers` });
  for (const value of ticksOf(range)) {
    frame.append(svg("line", { class: value === range[0] ? "axis" : "grid", x1: left, x2: width, y1: y(value), y2: y(value) }),
      svg("text", { x: left - 8, y: y(value) + 4, "text-anchor": "end" }, plainly(value)));
  }
  const places = new Map(suite.runs.map((run, at) => [run, at]));
  const apart = Math.min(7, slot / (series.length + 1));
  series.forEach(([agent, own], place) => {
    const at = ({ row }) => x(places.get(row.run)) + (place - (series.length - 1) / 2) * apart;
    const sound = own.filter(({ row }) => !row.why.length);
    for (const way of alike(sound)) {
      const path = way.map((point) => `${at(point).toFixed(1)},${y(point.score.value).toFixed(1)}`).join(" ");
      frame.append(svg("polyline", { class: `way ${suite.colours.get(agent)}`, points: path }));
    }
    own.forEach((point) => drawPoint(frame, point, suite.colours.get(agent), at(point), y, apart < 3 ? 2.5 : 4));
  });
  drawRuns(frame, x, slot, top + plot);
  box.replaceChildren(frame);
}

/** Points that follow each other and have the same behind the name of their agent. */
function alike(points) {
  const ways = [];
  for (const point of points) {
    if (ways.length && ways.at(-1).at(-1).row.what === point.row.what) ways.at(-1).push(point);
    else ways.push([point]);
  }
  return ways;
}

/** The agents that can be drawn; drawn once for a suite. */
function drawLegend() {
  fill("trend-legend", suite.agents.slice(0, ENTRIES).map((agent) => el("li", {}, legendButton(agent))),
    suite.agents.length > ENTRIES ? el("li", { class: "label" }, `and ${suite.agents.length - ENTRIES} more: the filter shows one`) : []);
}

/** An entry of the legend that takes its agent into the figure, or out of it. */
function legendButton(agent) {
  const turn = ({ currentTarget }) => {
    if (!drawn.delete(agent)) drawn.add(agent);
    currentTarget.setAttribute("aria-pressed", String(drawn.has(agent)));
    drawTrend();
  };
  return el("button", { type: "button", class: "entry", "aria-pressed": String(drawn.has(agent)), title: "drawn or not", onclick: turn }, agentName(agent));
}
