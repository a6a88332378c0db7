// The data of a board: a row for each agent of each run, by suite; and what of it is chosen, which the address keeps.

const cards = JSON.parse(dataOf("card"));
const board = JSON.parse(dataOf("runs"));

/** Where agents stand, in the order of the table. */
const TIERS = [["ranked", "Examined agents"], ["unranked", "Examined, not ranked"], ["built_in", "Built-in agents"], ["planted_fault", "Planted faults"], ["cheat", "Cheats"]];

/** A list of the data as a score. */
const scoreOf = ([value, n, missing, low, high]) => ({ value, n, not_scored: missing, interval: low === undefined ? null : [low, high] });

function rowOf(run, agent, metrics) {
  const why = [...run.not_ranked, ...agent.not_ranked];
  const tier = agent.group === "examined" ? (why.length ? "unranked" : "ranked") : agent.group;
  const text = [agent.agent, agent.what, run.run.label, run.run.path, ...why, ...run.remarks].join("\n").toLowerCase();
  const by = (list) => Object.fromEntries(metrics.map(({ name }, at) => [name, list[at]]));
  return { run, name: agent.agent, what: agent.what, tier, why, text, overall: by(agent.overall), factors: agent.factors, ranks: by(agent.ranks), places: metrics };
}

const suites = board.suites.map((suite) => {
  const card = cards[suite.suite];
  const metrics = suite.metrics.map((name) => card.metrics.find((metric) => metric.name === name));
  const rows = suite.runs.flatMap((run) => run.agents.map((agent) => rowOf(run, agent, metrics)));
  const place = ({ tier }) => TIERS.findIndex(([name]) => name === tier);
  const agents = [...new Set([...rows].sort((a, b) => place(a) - place(b)).map(({ name }) => name))];
  return { ...suite, card, metrics, rows, agents, colours: new Map(agents.map((agent, at) => [agent, colour(at)])) };
});

const NO_CHOICE = { suite: "", metric: "", by: "", agent: "", run: "", tier: "", text: "", sort: "" };
let choice = { ...NO_CHOICE };
let suite = suites[0];
let quantity = suite.metrics[0];
/** The factor whose levels are columns; nothing where metrics are. */
let factor = null;

/** The score of a row at a level of the chosen factor. */
function levelScore({ factors, places }, level) {
  const levels = Object.hasOwn(factors, factor.name) ? factors[factor.name] : {};
  const scores = Object.hasOwn(levels, level) ? levels[level] : null;
  return scores ? scoreOf(scores[places.indexOf(quantity)]) : null;
}
const metricScore = ({ overall }, metric) => scoreOf(overall[metric.name]);

/** The levels that were played, in the order of the card, then those it does not know. */
function levelsPlayed() {
  const played = new Set(suite.rows.flatMap(({ factors }) => Object.keys(factors[factor.name] ?? {})));
  const known = factor.levels.map(({ name }) => name).filter((name) => played.delete(name));
  return [...known, ...[...played].sort()];
}

/** The columns: by what they sort, their titles, the metric they show, the score of a row, and the filter of its page. */
function columnsShown() {
  if (!factor) return suite.metrics.map((metric) => ({ name: metric.name, title: metric.title, metric, of: (row) => metricScore(row, metric), at: {} }));
  return levelsPlayed().map((level) => ({
    name: `level ${level}`, title: factor.levels.find(({ name }) => name === level)?.title.join(" ") ?? level, metric: quantity,
    of: (row) => levelScore(row, level), at: { [factor.name]: level },
  }));
}

function isChosen(row) {
  const needles = choice.text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  return (!choice.agent || row.name === choice.agent) && (!choice.run || String(row.run.run.number) === choice.run)
    && (!choice.tier || row.tier === choice.tier) && needles.every((needle) => row.text.includes(needle));
}

/** The rank of a row by the chosen metric; nothing where the data has the reason in its place. */
const rankOf = ({ ranks }) => (typeof ranks[quantity.name] === "number" ? ranks[quantity.name] : null);

/** By rank, in each the best first; of what has no value nothing is said. */
const byQuantity = (rows) => ordered(ordered(rows, (row) => metricScore(row, quantity).value, quantity.direction === "up"), rankOf, false);

function choiceHash(changes) {
  const chosen = Object.entries({ ...choice, ...changes }).filter(([, value]) => value !== "");
  return chosen.length ? `#/?${new URLSearchParams(chosen)}` : "#/";
}

/** Each choice is a place to come back to; what is typed is one. */
function choose(changes, typed) {
  const hash = choiceHash(changes);
  if (typed && choice.text) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
  route();
}

/** What the address says is chosen; what it cannot mean is left. */
function readAddress() {
  const query = new URLSearchParams(location.hash.split("?")[1] ?? "");
  choice = Object.fromEntries(Object.keys(NO_CHOICE).map((name) => [name, query.get(name) ?? ""]));
  suite = suites.find((other) => other.suite === choice.suite) ?? suites[0];
  quantity = suite.metrics.find(({ name }) => name === choice.metric) ?? suite.metrics[0];
  factor = suite.card.factors.find(({ name }) => name === choice.by) ?? null;
}
