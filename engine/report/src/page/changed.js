// The changed episodes of two runs: filters, deep links and keys; the last of the scripts, it starts the page.

const PAGE = 50;
/** What is asked for exactly, and what else the address keeps. */
const EXACT = [...factors.map(({ name }) => name), "task", "way"];
const NO_STATE = Object.fromEntries(["pair", ...EXACT, "metric", "finding", "text", "page", "episode"].map((name) => [name, ""]));
let state = { ...NO_STATE };
const WAYS = ["worse", "better", "both", "same numbers"];

function stateHash(changes) {
  const kept = { ...NO_STATE, pair: state.pair, ...changes };
  const query = new URLSearchParams(Object.entries(kept).filter(([, value]) => value !== "")).toString();
  return query ? `#/?${query}` : "#/";
}

/** Which way the numbers of an episode went; to be scored no longer is worse. */
function wayOf(moved) {
  const falls = ([name, [base, now]]) => base !== null && (now === null || (now - base) * sign(metricOf(name)) < 0);
  const all = Object.entries(moved);
  const [down, up] = [all.some(falls), all.some((one) => !falls(one))];
  return down && up ? "both" : down ? "worse" : up ? "better" : "same numbers";
}

/** The changed episodes of the chosen pair, with what filters ask for. */
function changedRows() {
  return oneForAllTrials(chosen().episodes.map((episode, at) => {
    const { first_difference: first } = episode;
    const way = wayOf(episode.metrics);
    const text = [episode.episode, ...levelsOf(factors, episode.factors), ...episode.new_findings.flatMap(({ code, text }) => [code, text]), first?.base, first?.new, first?.path];
    return { ...episode, place: begins[chosenPair] + at, trials: [episode.trial], names: [episode.episode], way, is: { ...episode.factors, task: episode.task, way }, text: text.filter(Boolean).join(" ").toLowerCase() };
  }));
}

/** Trials of an instance that came out alike stand once. */
function oneForAllTrials(rows) {
  const alike = new Map();
  for (const row of rows) {
    const key = JSON.stringify([row.task, row.levels, row.metrics, row.new_findings, row.first_difference]);
    const first = alike.get(key);
    if (!first) alike.set(key, row);
    else {
      first.trials.push(row.trial);
      first.names.push(row.episode);
    }
  }
  return [...alike.values()];
}
const isLinked = ({ names }) => names.includes(state.episode);
const episodesIn = (rows) => rows.reduce((sum, { trials }) => sum + trials.length, 0);
const cachedRows = new Map();
function rowsOfPair() {
  if (!cachedRows.has(chosenPair)) cachedRows.set(chosenPair, changedRows());
  return cachedRows.get(chosenPair);
}

function fits(row) {
  const needles = state.text.toLowerCase().split(/\s+/).filter(Boolean);
  return EXACT.every((name) => !state[name] || row.is[name] === state[name])
    && (!state.metric || state.metric in row.metrics)
    && (!state.finding || row.new_findings.some(({ code }) => code === state.finding))
    && needles.every((needle) => row.text.includes(needle));
}

function moves(moved) {
  return metrics.filter(({ name }) => moved[name]).map((metric) => {
    const [base, now] = moved[metric.name];
    const way = wayOf({ [metric.name]: [base, now] }) === "worse" ? "fail" : "pass";
    return el("span", { class: "move" }, `${metric.title} `, el("span", { class: `verdict ${way}` }, `${side(base, metric)} → ${side(now, metric)}`));
  });
}

function sides(first) {
  if (!first) return el("p", { class: "note" }, "Nothing that was said or done differs.");
  const line = (label, text) => el("div", { class: "side" }, el("h3", {}, label), el("pre", { tabindex: "0" }, text ?? "(ended)"));
  return [el("p", { class: "note" }, `First differing event: ${first.event + 1}`, first.path !== "/type" ? [", at ", el("code", {}, first.path)] : null),
    el("div", { class: "sides" }, line("base", first.base), line("new", first.new))];
}

function changedItem(row) {
  const fold = el("details", { class: "changed", "data-episode": isLinked(row) ? state.episode : row.episode },
    el("summary", {}, el("span", { class: "what" }, el("b", {}, taskName(row.task)), levelsOf(settings, row.levels).map((level) => ` ${level}`),
      row.trials.length > 1 ? ` trials ${row.trials.join(", ")}` : row.trial === 0 ? "" : ` trial ${row.trial}`),
      el("span", { class: "moves" }, moves(row.metrics)),
      row.new_findings.length ? el("span", { class: "codes" }, [...new Set(row.new_findings.map(({ code }) => code))].map((code) => el("code", {}, code))) : null));
  const write = () => {
    if (fold.children.length > 1) return;
    const box = el("div", { class: "whole" });
    fold.append(el("div", { class: "inside" }, row.new_findings.map((finding) => findingNote({ ...finding, by: [] })),
      sides(row.first_difference), box,
      el("p", { class: "note" }, el("a", { href: stateHash({ ...state, episode: row.episode }) }, "Link to this episode"))));
    drawSides(box, row.place, row.first_difference);
  };
  fold.addEventListener("toggle", () => { if (fold.open) write(); });
  fold.addEventListener("unfold", write);
  return fold;
}

function drawList() {
  const rows = rowsOfPair();
  const found = rows.filter((row) => isLinked(row) || fits(row));
  const linked = found.findIndex(isLinked);
  const pages = Math.max(1, Math.ceil(found.length / PAGE));
  const wanted = linked >= 0 && !state.page ? Math.floor(linked / PAGE) + 1 : Number(state.page) || 1;
  const page = Math.min(pages, Math.max(1, wanted));
  byId("shown").textContent = found.length === rows.length ? plural(episodesIn(rows), "episode") : `${episodesIn(found)} of ${plural(episodesIn(rows), "episode")}`;
  const titles = { way: "direction", finding: "new finding", text: "text", task: "task", metric: "metric" };
  const label = (name) => titles[name] ?? factors.find((factor) => factor.name === name).title.toLowerCase();
  const value = (name) => (name === "metric" ? metricOf(state.metric).title : words(state[name]));
  drawChips([...EXACT, "metric", "finding", "text"].filter((name) => state[name]).map((name) => [name, label(name), value(name)]), (name) => change({ [name]: "" }));
  fill("list", found.length ? found.slice((page - 1) * PAGE, page * PAGE).map(changedItem)
    : el("p", { class: "empty" }, rows.length ? "No changed episode fits these filters." : "No episode changed."));
  const turn = (to) => () => { change({ page: String(to), episode: "" }); jump("changed"); };
  byId("pager").hidden = pages === 1;
  fill("pager", el("button", { type: "button", disabled: page === 1, onclick: turn(page - 1) }, "Previous"),
    el("span", {}, `page ${page} of ${pages}`), el("button", { type: "button", disabled: page === pages, onclick: turn(page + 1) }, "Next"));
  const item = [...byId("list").children].find((node) => node.dataset.episode === state.episode);
  if (!state.episode || !item) return;
  item.open = true;
  item.classList.add("at");
  item.scrollIntoView({ block: "center" });
  item.firstElementChild.focus({ preventScroll: true });
}

function jump(id) {
  byId(id)?.scrollIntoView({ block: "start" });
}

function change(changes, typed) {
  const hash = stateHash({ ...state, page: "", episode: "", ...changes });
  if (typed) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
  route();
}

function select(name, label, choices) {
  const options = choices.map(([value, text]) => el("option", { value }, text));
  return el("label", {}, label, el("select", { name, onchange: (event) => change({ [name]: event.target.value }) }, el("option", { value: "" }, "all"), options));
}

function drawFilters() {
  const rows = rowsOfPair();
  const distinct = (values) => [...new Set(values)].sort().map((value) => [value, words(value)]);
  /** The levels of a factor that changed episodes have: those of the card in its order, then the others. */
  const present = ({ name, levels }) => {
    const met = [...new Set(rows.map((row) => row.factors[name]).filter(Boolean))].sort();
    const known = levels.map((level) => level.name).filter((level) => met.includes(level));
    return [...known, ...met.filter((level) => !known.includes(level))];
  };
  let waiting = 0;
  const oninput = (event) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => change({ text: event.target.value }, true), 150);
  };
  fill("filters",
    el("label", { class: "wide" }, "search", el("input", { name: "text", type: "search", placeholder: "words, tools, codes", autocomplete: "off", spellcheck: "false", oninput })),
    select("way", "direction", WAYS.filter((way) => rows.some((row) => row.way === way)).map((way) => [way, way])),
    select("metric", "metric", metrics.filter(({ name }) => rows.some((row) => row.metrics[name])).map(({ name, title }) => [name, title])),
    factors.map((factor) => [factor, present(factor)]).filter(([, levels]) => levels.length > 1).map(([factor, levels]) =>
      select(factor.name, factor.title.toLowerCase(), levels.map((level) => [level, levelName(factor, level)]))),
    select("task", "task", [...new Set(rows.map((row) => row.task))].sort().map((name) => [name, name])),
    select("finding", "new finding", distinct(rows.flatMap((row) => row.new_findings.map(({ code }) => code)))),
    el("button", { type: "button", class: "quiet", onclick: () => change({ ...NO_STATE, pair: state.pair }) }, "Clear"));
}

let drawnPair = -1;

function route() {
  byId("tip").hidden = true;
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  if (path.startsWith("metric/")) {
    byId("metrics").open = true;
    byId(`metric-${path.slice("metric/".length)}`)?.focus();
    return;
  }
  const values = new URLSearchParams(query ?? "");
  for (const name of Object.keys(NO_STATE)) state[name] = values.get(name) ?? "";
  // Without a choice the first agents that changed.
  const moved = comparisons.findIndex(({ comparison }) => comparison.episodes.length > 0);
  chosenPair = Math.max(0, state.pair ? pairNames.indexOf(state.pair) : moved);
  if (drawnPair !== chosenPair) {
    drawnPair = chosenPair;
    drawPair();
    drawFilters();
    segmented("pairs", pairNames.map((name, at) => [at, name]), chosenPair, (at) => change({ ...NO_STATE, pair: pairNames[at] }));
  }
  drawList();
  const isChosen = [...EXACT, "metric", "finding", "text"].some((name) => state[name]);
  const { top, bottom } = byId("chosen").getBoundingClientRect();
  if (isChosen && !state.episode && !(top >= 0 && bottom <= innerHeight)) jump("changed");
  for (const control of byId("filters").elements) {
    if (control.name && control !== document.activeElement) control.value = state[control.name];
  }
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const field = event.target.closest("input, select, textarea");
  const items = [...document.querySelectorAll("#list summary")];
  if (field) {
    if (field.name !== "text" || (event.key !== "ArrowDown" && event.key !== "Enter")) return;
    event.preventDefault();
    items[0]?.focus();
  } else if (event.key === "/") {
    event.preventDefault();
    jump("changed");
    byId("filters-fold").open = true;
    byId("filters").elements.text.focus({ preventScroll: true });
  } else if (event.key === "j" || event.key === "k") {
    const at = items.indexOf(document.activeElement);
    items[at < 0 ? 0 : Math.max(0, Math.min(items.length - 1, at + (event.key === "j" ? 1 : -1)))]?.focus();
  }
}

function listen() {
  addEventListener("hashchange", route);
  document.addEventListener("keydown", pressed);
  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target.closest("[data-jump]") : null;
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (target.hash.startsWith("#/") && location.hash !== target.hash) location.hash = target.hash;
    setTimeout(() => jump(target.dataset.jump), 0);
  });
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  addEventListener("beforeprint", () => document.querySelectorAll("#list details").forEach((fold) => {
    fold.dispatchEvent(new Event("unfold"));
    fold.open = true;
  }));
}

startTheme();
watchWidths();
byId("pairs").hidden = comparisons.length < 2;
byId("filters-fold").open = !matchMedia("(max-width: 40rem)").matches;
drawMetrics();
listen();
route();
