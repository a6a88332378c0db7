// What the benchmark's card says: by what episodes are grouped, what each number means and how it is written.

const card = JSON.parse(dataOf("card"));
const { factors, tags } = card;

const PLACES = ["table", "page", "beside"];
/** The numbers, those of every table first. */
const metrics = [...card.metrics].sort((a, b) => PLACES.indexOf(a.place) - PLACES.indexOf(b.place));
const metricOf = (name) => metrics.find((metric) => metric.name === name);
const inTable = metrics.filter(({ place }) => place === "table");

/** What an episode passes or fails by, where it does either. */
const headline = card.metrics[0];
const isShare = ({ range: [low, high] }) => low === 0 && high === 1;
const hasVerdicts = isShare(headline);
/** How much better it is when a number grows by one. */
const sign = ({ direction }) => (direction === "up" ? 1 : -1);

const settings = factors.filter(({ role }) => role === "setting");
/** The factor whose levels are drawn side by side, if there is one. */
const columns = settings.find(({ levels }) => levels.length > 0) ?? null;

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

const metricHash = (name) => `#/metric/${name}`;

/** A title that leads to what it means. */
const metricLink = (name, label) => el("a", { class: "term", href: metricHash(name) }, label ?? metricOf(name).title);

function metricEntry({ name, title, meaning, formula, section }) {
  return el("div", { id: `metric-${name}`, tabindex: "-1" }, el("dt", {}, title),
    el("dd", {}, meaning, formula ? el("code", { class: "formula" }, formula) : null,
      section ? el("span", { class: "small" }, `documentation, “${section}”`) : null));
}

/** What a change of a level is held against. */
const baseline = columns?.baseline ?? null;

/** The numbers, then what stands behind words that are not numbers. */
function drawMetrics() {
  const base = baseline && words(baseline);
  const change = base && {
    name: "change", title: `Change against ${base}`, formula: `(value − value of ${base}) / value of ${base}`,
    meaning: `How much an agent gains or loses by ${columns.title.toLowerCase()}, relative to what it reaches at ${base}.`,
  };
  const kinds = tags.map((tag) => ({ ...tag, title: capital(titleOf(tag)) }));
  fill("metrics-list", [...metrics, change, ...kinds].filter(Boolean).map(metricEntry));
}
