// How the numbers of a card are written, and what there is to say of one.

const isShare = ({ range: [low, high] }) => low === 0 && high === 1;
/** How much better it is when a number grows by one. */
const sign = ({ direction }) => (direction === "up" ? 1 : -1);

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const titleOf = ({ name }) => words(name);
/** A level that the card knows is a word; others are names, such as ids. */
const levelName = (factor, level) => (factor.levels.some(({ name }) => name === level) ? words(level) : level);
/** The levels of all these factors that an episode has. */
const levelsOf = (some, chosen) => some.filter(({ name }) => chosen[name]).map((factor) => levelName(factor, chosen[factor.name]));

const plainly = (value) => String(Math.round(value * 100) / 100);
/** A value of a metric: shares have two digits, other numbers as many as they need. */
const written = (value, metric) => (value === null || value === undefined ? "–" : isShare(metric) ? number(value) : plainly(value));

/** `0.81–0.95`. */
const between = ([low, high], metric) => `${written(low, metric)}–${written(high, metric)}`;

/** Whether an interval says anything: one without a width is of episodes that are all alike. */
const isWide = (interval) => Boolean(interval) && interval[0] < interval[1];

/** A score in words and in full, for those who hover or focus it. */
function inFull(score, metric) {
  if (!score) return "not played";
  const value = score.value === null ? "not scored" : String(Number(score.value.toFixed(4)));
  return `${value}${isWide(score.interval) ? `, 95 % ${between(score.interval, metric)}` : ""}\n${score.n} scored, ${score.not_scored} not scored`;
}

function metricEntry({ name, title, meaning, formula, section }) {
  return el("div", { id: `metric-${name}`, tabindex: "-1" }, el("dt", {}, title),
    el("dd", {}, meaning, formula ? el("code", { class: "formula" }, formula) : null,
      section ? el("span", { class: "small" }, `documentation, “${section}”`) : null));
}

/** Up to six steps of 1, 2.5 or 5 of some power of ten; quarters are fine enough for shares. */
function stepOf(span) {
  const unit = 10 ** Math.floor(Math.log10(span / 6));
  const step = unit * [1, 2.5, 5, 10].find((count) => unit * count * 6 >= span - 1e-9);
  return span >= 0.5 ? Math.max(0.25, step) : step;
}

function ticksOf([low, high]) {
  const step = stepOf(high - low);
  const ticks = [];
  for (let count = Math.ceil(low / step); count * step <= high + 1e-9; count += 1) ticks.push(count * step);
  return ticks;
}
