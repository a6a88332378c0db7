// Two runs compared: the gate's verdict, and differences by metric and group.

const comparisons = JSON.parse(dataOf("comparisons"));
const runs = JSON.parse(dataOf("runs"));
/** Where the changed episodes of each comparison begin among all of them. */
const begins = comparisons.map((_, at) => comparisons.slice(0, at).reduce((sum, { comparison }) => sum + comparison.episodes.length, 0));
const pairNames = comparisons.map(({ comparison }) => comparison.base_agent === comparison.new_agent
  ? comparison.base_agent : `${comparison.base_agent} → ${comparison.new_agent}`);
let chosenPair = 0;
let quantity = headline.name;
const chosen = () => comparisons[chosenPair].comparison;

/** Shares to three digits, other numbers to two at most. */
const plain = (value, metric) => (value === null ? "–" : isShare(metric) ? value.toFixed(3) : plainly(value));
const signed = (value, metric) => (value === null ? "–" : `${value > 0 ? "+" : value < 0 ? "−" : ""}${plain(Math.abs(value), metric)}`);
const chance = (p) => (p === null ? "–" : p < 0.0001 ? "< 0.0001" : p.toFixed(4));
const side = (value, metric) => (value === null ? "not scored" : written(value, metric));

/** The factor of a group; nothing of all episodes. */
const factorOf = (group) => factors.find(({ name }) => group !== "all" && name in group);
const groupName = (group) => (group === "all" ? "all episodes" : levelName(factorOf(group), group[factorOf(group).name]));
const rangeText = (interval, metric) => (interval ? `${signed(interval[0], metric)} to ${signed(interval[1], metric)}` : "–");

/** Better, worse or neither; within the noise floor nothing is claimed. */
function direction({ change, metric, noise_floor: floor }) {
  if (!change || (floor !== null && Math.abs(change) <= floor)) return "none";
  return change * sign(metricOf(metric)) > 0 ? "pass" : "fail";
}

/** Change, interval and noise floor on one line; all lines of a table whose metrics have one range have one scale. */
function changeLine(difference, reach) {
  const at = (value) => `${50 + (value / reach) * 48}%`;
  const { change, interval, noise_floor: floor } = difference;
  if (change === null) return null;
  const band = floor ? svg("rect", { class: "floor", x: at(-floor), width: `${(floor / reach) * 96}%`, y: 0, height: 18 }) : null;
  const line = interval ? svg("line", { class: "range", x1: at(interval[0]), x2: at(interval[1]), y1: 9, y2: 9 }) : null;
  return svg("svg", { class: `change-line ${direction(difference)}`, height: 18, "aria-hidden": "true" }, band,
    svg("line", { class: "zero", x1: "50%", x2: "50%", y1: 0, y2: 18 }), line, svg("circle", { cx: at(change), cy: 9, r: 4 }));
}

const floorText = ({ noise, noise_floor: floor, metric }) => (floor !== null ? plain(floor, metricOf(metric)) : noise === "unknown" ? "not known" : "none seen");

function differenceRow(difference, name, reach) {
  const metric = metricOf(difference.metric);
  return el("tr", {}, el("th", { scope: "row" }, name),
    [plain(difference.base, metric), plain(difference.new, metric)].map((text) => el("td", { class: "num" }, text)),
    el("td", { class: `num verdict ${direction(difference)}` }, signed(difference.change, metric)),
    el("td", { class: "line" }, changeLine(difference, reach)),
    [rangeText(difference.interval, metric), floorText(difference),
      chance(difference.p)].map((text) => el("td", { class: "num" }, text)),
    el("td", { class: "num" }, difference.n, difference.lost ? el("span", { class: "small" }, `${difference.lost} lost`) : null));
}

/** Differences in bodies, each with the title it has above it. */
function differenceTable(id, bodies, title, nameOf) {
  const all = bodies.flatMap(([, differences]) => differences);
  const rangeOf = ({ metric }) => String(metricOf(metric).range);
  const reaches = new Map();
  for (const difference of all) {
    const { change, interval, noise_floor: floor } = difference;
    const reach = Math.max(0.01, ...[change, ...(interval ?? []), floor].map((value) => Math.abs(value ?? 0)));
    reaches.set(rangeOf(difference), Math.max(reach, reaches.get(rangeOf(difference)) ?? 0));
  }
  const [reach] = reaches.values();
  const ends = reaches.size === 1 ? [-reach, 0, reach].map((value) => (value ? signed(value, metricOf(all[0].metric)) : "0")) : ["−", "0", "+"];
  const head = [column(title), column("base", "num"), column("new", "num"), column("change", "num"),
    el("th", { scope: "col", class: "line" }, el("span", { class: "ends" }, ends.map((text) => el("span", {}, text)))),
    column("95 % interval", "num"), column("noise floor", "num"), column("p", "num"), column("episodes", "num")];
  fill(id, table(head, ...bodies.map(([above, differences]) => [
    above ? el("tr", { class: "group" }, el("th", { scope: "rowgroup", colspan: head.length }, above)) : [],
    differences.map((difference) => differenceRow(difference, nameOf(difference), reaches.get(rangeOf(difference)))),
  ])));
}

/** The metric that changed most for its range: over all episodes, and where nothing did, in any group. */
function mostChanged() {
  const reach = ({ range: [low, high] }) => (low === null || high === null ? 1 : high - low);
  const overall = chosen().differences.filter(({ group }) => group === "all");
  const some = overall.some(({ change }) => change) ? overall : chosen().differences;
  const most = (metric) => Math.max(0, ...some.filter((difference) => difference.metric === metric.name).map(({ change }) => Math.abs(change ?? 0) / reach(metric)));
  return metrics.reduce((best, metric) => (most(metric) > most(best) ? metric : best), headline).name;
}

function chooseQuantity() {
  segmented("quantity", metrics.map(({ name, title }) => [name, title]), quantity, (name) => {
    quantity = name;
    drawDifferences();
  });
}

function drawDifferences() {
  const differences = chosen().differences.filter(({ base, new: now }) => base !== null || now !== null);
  const overall = differences.filter(({ group }) => group === "all");
  differenceTable("metrics-table", [[null, metrics.flatMap(({ name }) => overall.filter(({ metric }) => metric === name))]], "metric", ({ metric }) => metricLink(metric));
  const groups = differences.filter(({ metric }) => metric === quantity);
  const bodies = [undefined, ...factors].map((factor) => [factor?.title, groups.filter(({ group }) => factorOf(group) === factor)]).filter(([, some]) => some.length);
  const link = ({ group }) => (group === "all" ? groupName(group) : el("a", { href: stateHash(group), "data-jump": "changed" }, groupName(group)));
  differenceTable("groups-table", bodies, "episodes", link);
}

/** What is known of chance where a gate asks: the first question of all. */
function noiseOf({ noise, noise_floor: floor, metric, n }) {
  if (noise === "none") return "Both agents do the same every time";
  if (noise === "unknown") return "How much chance alone does is not known, with one trial of each instance";
  return floor === null ? `No variance was seen in ${2 * n} trials` : `Noise floor of ${metricOf(metric).title} ${plain(floor, metricOf(metric))}`;
}

/** And what so many trials can find. */
function sureness(comparison) {
  const asked = comparison.differences.find(({ detectable }) => detectable !== null);
  if (!asked) return "";
  const metric = metricOf(asked.metric);
  const of = asked.group === "all" ? metric.title : `${metric.title}, ${groupName(asked.group)}`;
  return asked.detectable ? `${noiseOf(asked)}; drops of ${of} below ${plain(asked.detectable, metric)} could not have been found.` : `${noiseOf(asked)}: any drop of ${of} is found.`;
}

const DECISIONS = { open: ["pass", "gate open"], closed: ["fail", "gate closed"], undecided: ["undecided", "gate closed (undecided)"], not_measured: ["not_measured", "gate closed (not measured)"] };

function drawGate() {
  const { gate } = comparisons[chosenPair];
  if (!gate) return fill("gate");
  const failed = gate.checks.filter(({ outcome }) => ["fail", "undecided", "not_measured"].includes(outcome));
  const line = (check) => el("tr", {}, el("td", {}, verdict(check.outcome)), el("th", { scope: "row" }, check.name), el("td", {}, check.text));
  const head = ["outcome", "check", "numbers"].map((text) => column(text));
  const all = el("details", { class: "fold" }, el("summary", {}, `All ${plural(gate.checks.length, "check")}`),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Checks of the gate" }, table(head, gate.checks.map(line))));
  fill("gate", el("div", { class: `result ${gate.is_open ? "pass" : "fail"}` },
    el("strong", {}, verdict(...DECISIONS[gate.decision])),
    el("p", {}, `${gate.is_open ? `All ${plural(gate.checks.length, "check")} hold or have nothing to look at.` : `${failed.length} of ${plural(gate.checks.length, "check")} do not hold.`} ${sureness(chosen())}`),
    chosen().lost.length ? el("ul", { id: "lost" }, chosen().lost.map((task) => el("li", {}, `no longer solved: ${task.task}: ${task.settings.join(", ")}`))) : null, failed.length ? el("ul", {}, failed.map(({ name, outcome, text }) => el("li", {}, outcome === "fail" ? null : [verdict(outcome), ": "], el("b", {}, name), `: ${text}`))) : null), all);
}

function drawNotCompared(comparison) {
  const lists = [["only in the base run", comparison.only_base], ["only in the new run", comparison.only_new],
    ["played on another version of the task, under other limits or options, or with another user", comparison.unlike]];
  fill("not-compared", lists.filter(([, names]) => names.length).map(([what, names]) => el("details", { class: "fold" },
    el("summary", {}, `Not compared: ${plural(names.length, "episode")} ${what}`), el("ul", { class: "names" }, names.map((name) => el("li", {}, name))))));
}

function drawFindings(comparison) {
  const lines = Object.entries(comparison.findings);
  const head = [column("finding"), column("base", "num"), column("new", "num"), column("change", "num")];
  fill("findings", lines.length ? table(head, lines.map(([code, [base, now]]) => el("tr", {},
    el("th", { scope: "row" }, el("a", { class: "mono", href: stateHash({ finding: code }), "data-jump": "changed" }, code)),
    el("td", { class: "num" }, base), el("td", { class: "num" }, now), el("td", { class: "num" }, `${now > base ? "+" : "−"}${Math.abs(now - base)}`))))
    : el("p", { class: "empty" }, "Every finding occurs as often as before."));
}

/** Everything above the list, for the chosen pair of agents. */
function drawPair() {
  const comparison = chosen();
  quantity = mostChanged();
  chooseQuantity();
  const agents = [comparison.base_agent, comparison.new_agent];
  fill("facts", runs.map(({ command, engine }, at) => [el("dt", {}, SIDES[at]), el("dd", {}, el("b", {}, el("bdi", {}, agents[at])),
    engine ? `, probity ${engine}` : null, command ? [": ", el("code", {}, command)] : null)]));
  byId("title").textContent = pairNames[chosenPair];
  document.title = `probity comparison: ${pairNames[chosenPair]}`;
  const counts = [[comparison.pairs, "episode of both", "episodes of both"], [comparison.trials, "trial of each instance", "trials of each instance"],
    [comparison.episodes.length, "changed episode", "changed episodes"]];
  fill("counts", counts.map(([count, one, many]) => el("div", {}, el("dt", {}, count === 1 ? one : many), el("dd", {}, count.toLocaleString("en")))));
  byId("sure").textContent = sureness(comparison);
  drawGate();
  drawNotCompared(comparison);
  drawDifferences();
  drawFindings(comparison);
}
