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
const hasVerdicts = isShare(headline);

const settings = factors.filter(({ role }) => role === "setting");
/** The factor whose levels are drawn side by side, if there is one. */
const columns = settings.find(({ levels }) => levels.length > 0) ?? null;

const metricHash = (name) => `#/metric/${name}`;

/** A title that leads to what it means. */
const metricLink = (name, label) => el("a", { class: "term", href: metricHash(name) }, label ?? metricOf(name).title);

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
