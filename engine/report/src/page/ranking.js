// The table of the board, its controls and its head; the last of the scripts, it starts the page.

/** Rows of a tier that are shown until more are asked for. */
const ROWS = 25;
/** The tiers of which all rows are shown. */
const whole = new Set();
let isPrinted = false;

/** Long names scroll in their place. */
const named = (text, className) => el("bdi", { class: text.length > 160 ? `${className} clipped` : className, tabindex: text.length > 160 ? "0" : null }, pieces(text));
const agentName = (agent) => el("span", { class: "name" }, swatch(suite.colours.get(agent)), named(agent, ""));

/** What stands behind a name, where that is something else. */
const whatOf = ({ name, what }) => (what === name ? null : el("span", { class: "where" }, named(what, "")));

/** The address of a run's page at what a cell counts. */
const pageOf = ({ run, name }, at) => (run.page ? `${run.page}#/?${new URLSearchParams({ agent: name, ...at })}` : null);

/** A metric's mean and interval on a line, from one end of the range of its column to the other. */
function spanLine(score, [low, high], className) {
  const at = (value) => `${4 + ((value - low) / (high - low)) * 92}%`;
  if (score.value === null || !(high > low)) return null;
  const ends = isWide(score.interval) ? svg("line", { class: "range", x1: at(score.interval[0]), x2: at(score.interval[1]), y1: 6, y2: 6 }) : null;
  return svg("svg", { class: `span-line ${className}`, height: 12, "aria-hidden": "true" }, svg("line", { class: "rail", x1: "4%", x2: "96%", y1: 6, y2: 6 }),
    ends, svg("circle", { cx: at(score.value), cy: 6, r: 3.5 }));
}

function scoreCell(row, { of, metric, title, at }, range) {
  const score = of(row);
  if (!score) return el("td", { class: "num", "data-title": title }, el("span", { class: "small" }, "not played"));
  const href = pageOf(row, at);
  const text = score.value === null ? el("span", { class: "unscored" }, "not scored") : written(score.value, metric);
  const value = el(href ? "a" : "span", { class: "cell", href }, text);
  return el("td", { class: "num", "data-title": title }, tipped(value, `${brief(row.name, 80)}, ${title}\n${inFull(score, metric)}`), spanLine(score, range, suite.colours.get(row.name)),
    el("span", { class: "small" }, isWide(score.interval) ? `${between(score.interval, metric)} · ` : metric.aggregation === "pooled" ? "pooled, no interval · " : "", sizes(score)));
}

/** Why a row has no rank by the chosen metric, where nothing else keeps it from one. */
const rankless = (row) => (row.tier === "ranked" && rankOf(row) === null ? [`no rank by ${quantity.title}: ${row.ranks[quantity.name]}`] : []);

function runCell(row) {
  const { run, why } = row;
  const name = [el("span", { class: "no" }, `#${run.run.number} `), named(run.run.label, "")];
  const path = run.run.path === run.run.label ? null : el("span", { class: "where" }, named(run.run.path, ""));
  const notes = (list, className) => (list.length ? el("ul", { class: `why ${className}` }, list.map((what) => el("li", {}, named(what, "")))) : null);
  return el("td", { class: "run" }, run.page ? el("a", { href: run.page }, name) : name, path, notes(why, "found"), notes([...rankless(row), ...run.remarks], "none"));
}

function tableRow(row, columns, ranges) {
  const rank = rankOf(row) ?? el("span", { class: "label", title: row.ranks[quantity.name] }, "–");
  return el("tr", {}, el("td", { class: "num rank" }, rank), el("th", { scope: "row" }, agentName(row.name), whatOf(row)), runCell(row),
    columns.map((column, at) => scoreCell(row, column, ranges[at])));
}

/** From where to where a column's lines go: the metric's range, or where it has no end as far as there are values. */
function rangeOf({ metric, of }, rows) {
  const values = () => rows.map(of).filter((score) => score && score.value !== null).flatMap(({ value, interval }) => [value, ...(interval ?? [])]);
  return [metric.range[0] ?? Math.min(0, ...values()), metric.range[1] ?? Math.max(0, ...values())];
}

function inTier(tier, rows, columns) {
  const own = rows.filter((row) => row.tier === tier);
  const by = new Map([["agent", (row) => row.name.toLowerCase()], ["run", (row) => row.run.run.number], ...columns.map(({ name, of }) => [name, (row) => of(row)?.value ?? null])]);
  const of = by.get(choice.sort.replace(/^-/, ""));
  if (of) return ordered(own, of, choice.sort.startsWith("-"));
  return tier === "ranked" ? byQuantity(own) : own;
}

function tierBody([tier, title], rows, columns, ranges) {
  const own = inTier(tier, rows, columns);
  if (!own.length) return [];
  const shown = isPrinted || whole.has(tier) ? own : own.slice(0, ROWS);
  const span = columns.length + 3;
  const more = () => {
    whole.add(tier);
    drawBoard();
    byId("board").focus({ preventScroll: true });
  };
  return [[
    el("tr", { class: "group" }, el("th", { scope: "rowgroup", colspan: span }, el("span", { class: "stay" }, `${title} (${own.length.toLocaleString("en")})`))),
    shown.map((row) => tableRow(row, columns, ranges)),
    shown.length < own.length ? el("tr", {}, el("td", { colspan: span }, el("button", { type: "button", class: "quiet stay", onclick: more }, `Show all ${own.length.toLocaleString("en")}`))) : null,
  ]];
}

/** What is no run, with why. */
function unreadBody(span) {
  const needle = choice.text.trim().toLowerCase();
  const found = board.unread.filter(({ run, why }) => !choice.agent && !choice.run && !choice.tier && `${run.label}\n${run.path}\n${why}`.toLowerCase().includes(needle));
  return found.length ? [[
    el("tr", { class: "group" }, el("th", { scope: "rowgroup", colspan: span }, el("span", { class: "stay" }, `No run that can be counted (${found.length})`))),
    found.map(({ run, why }) => el("tr", {}, el("td", { class: "num rank" }, el("span", { class: "label" }, "–")), el("th", { scope: "row" }, named(labelOf(run), "")),
      el("td", { class: "run", colspan: span - 2 }, el("ul", { class: "why found" }, el("li", {}, named(why, "")))))),
  ]] : [];
}

function drawBoard() {
  const columns = columnsShown();
  const rows = suite.rows.filter(isChosen);
  const ranges = columns.map((column) => rangeOf(column, rows));
  const head = (name, label, className, down) => sortHead(name, label, className, choice.sort, (sort) => choose({ sort }), down);
  const heads = [column(`rank by ${quantity.title}`, "num rank"), head("agent", "agent"), head("run", "run"), ...columns.map(({ name, title }) => head(name, title, "num", true))];
  const bodies = [...TIERS.flatMap((tier) => tierBody(tier, rows, columns, ranges)), ...unreadBody(heads.length)];
  fill("board", bodies.length ? table(heads, ...bodies) : el("p", { class: "empty" }, "Nothing fits these filters."));
  byId("shown").textContent = rows.length === suite.rows.length ? plural(rows.length, "row") : `${rows.length.toLocaleString("en")} of ${plural(suite.rows.length, "row")}`;
}

function drawIntro() {
  const ranked = suite.rows.filter(({ tier }) => tier === "ranked").length;
  const counts = [[suite.runs.length, nouns(suite.runs.length, "run")], [suite.agents.length, nouns(suite.agents.length, "agent")], [ranked, "ranked"],
    [suite.rows.filter(({ tier }) => tier === "unranked").length, "not ranked"], ...(board.unread.length ? [[board.unread.length, "no run"]] : [])];
  fill("counts", counts.map(([count, noun]) => el("div", {}, el("dt", {}, noun), el("dd", {}, count.toLocaleString("en")))));
  const { usual } = suite;
  byId("title").textContent = `${capital(suite.card.title)}: ${plural(suite.runs.length, "run")}`;
  document.title = `probity board: ${plural(suite.runs.length, "run")} of ${suite.suite}`;
  fill("usual", usual ? [`Ranked are runs that were played as most were: ${usual.runs} of ${suite.runs.length}, of which the first is run ${usual.first}. That is probity `, el("bdi", {}, brief(usual.engine, 40)),
    `, ${plural(usual.task_instances, "task instance")}, user `, el("bdi", {}, brief(usual.user, 80)), usual.agent_timeout ? `, ${usual.agent_timeout} s for a message of a process.` : "."]
    : ["No agent is ranked: no run has an examined agent with which nothing is wrong."]);
  press("suites", suite.suite);
  press("by", factor?.name ?? "");
  press("quantity", quantity.name);
  fill("metrics-list", suite.metrics.map(metricEntry));
}

/** What there is to choose in a suite; drawn once for it. */
function drawChoices() {
  byId("suites").hidden = suites.length < 2;
  segmented("suites", suites.map((other) => [other.suite, other.suite]), suite.suite, (name) => choose({ ...NO_CHOICE, suite: name }));
  segmented("by", [["", "metrics"], ...suite.card.factors.map(({ name, title }) => [name, title.toLowerCase()])], factor?.name ?? "", (by) => choose({ by, sort: "" }));
  segmented("quantity", suite.metrics.map(({ name, title }) => [name, title]), quantity.name, (metric) => choose({ metric, sort: "" }));
  byId("legend").textContent = suite.card.legend.split("\n").slice(1).join(" ").trim();
}

function select(name, label, choices) {
  const options = choices.map(([value, text]) => el("option", { value }, brief(text, 60)));
  return el("label", {}, label, el("select", { name, onchange: (event) => choose({ [name]: event.target.value }) }, el("option", { value: "" }, "all"), options));
}

function drawFilters() {
  let waiting = 0;
  const typed = (event) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => choose({ text: event.target.value }, true), 150);
  };
  const present = TIERS.filter(([tier]) => suite.rows.some((row) => row.tier === tier));
  fill("filters", el("label", { class: "wide" }, "search agents, runs and reasons", el("input", { name: "text", type: "search", autocomplete: "off", spellcheck: "false", oninput: typed })),
    select("agent", "agent", suite.agents.map((agent) => [agent, agent])), select("tier", "tier", present.map(([tier, title]) => [tier, title.toLowerCase()])),
    el("button", { type: "button", class: "quiet", onclick: () => choose({ agent: "", run: "", tier: "", text: "" }) }, "Clear"));
}

function drawChoice() {
  const run = suite.runs.find(({ run }) => String(run.number) === choice.run)?.run;
  const said = { agent: choice.agent, run: run ? labelOf(run) : choice.run, tier: TIERS.find(([tier]) => tier === choice.tier)?.[1] ?? choice.tier, text: choice.text };
  drawChips(Object.entries(said).filter(([, value]) => value).map(([name, value]) => [name, name, brief(value, 80)]), (name) => choose({ [name]: "" }));
  for (const control of byId("filters").elements) {
    if (control.name && control !== document.activeElement) control.value = choice[control.name];
  }
}

function jump(id) {
  byId(id)?.scrollIntoView({ block: "start" });
}

let shownSuite = null;
function route() {
  byId("tip").hidden = true;
  readAddress();
  if (shownSuite !== suite) {
    shownSuite = suite;
    drawn = new Set(suite.agents.slice(0, COLOURS));
    drawFilters();
    drawChoices();
    drawLegend();
  }
  drawIntro();
  drawChoice();
  drawBoard();
  drawTrend();
}

function listen() {
  addEventListener("hashchange", route);
  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target.closest("[data-jump]") : null;
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    jump(target.dataset.jump);
    byId(target.dataset.jump).focus({ preventScroll: true });
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select")) return;
    event.preventDefault();
    byId("filters").elements.text.focus();
  });
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  const printed = (is) => () => {
    isPrinted = is;
    drawBoard();
  };
  addEventListener("beforeprint", printed(true));
  addEventListener("afterprint", printed(false));
}

startTheme();
watchWidths();
listen();
route();
new ResizeObserver(drawTrend).observe(byId("trend-chart"));
