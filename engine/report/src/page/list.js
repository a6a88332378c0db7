// The list of episodes: filters, order and pages, all kept in the address.

const PAGE = 50;
/** What is asked for exactly, and what else the address keeps. */
const EXACT = ["agent", ...[...factors, ...tags].map(({ name }) => name), "task", "outcome"];
const NO_FILTER = Object.fromEntries([...EXACT, "finding", "text", "sort", "page"].map((name) => [name, ""]));
let filter = { ...NO_FILTER };
let found = rows;

function filterHash(changes) {
  const chosen = Object.entries({ ...NO_FILTER, ...changes }).filter(([, value]) => value !== "" && value !== undefined);
  const query = new URLSearchParams(chosen).toString();
  return query ? `#/?${query}` : "#/";
}

/** Shows the episodes of a bar or a cell. */
function showEpisodes(changes) {
  location.hash = filterHash(changes);
  jump("episodes");
}

/** Levels and words that have columns: what tasks bring is in their names, and what is usual needs no mention. */
const columnFactors = factors.filter(({ role, levels }) => role === "setting" || levels.length > 0);
const columnTags = tags.filter(({ usual }) => usual === null);
const wordOf = (row, { name }) => words(row.words[name] ?? "");
const hasTrials = rows.some((row) => row.trial > 0);

/** The place of a name in its list; nothing where it has none. */
const placeOf = (list, name) => (name === null ? null : list.indexOf(name));
const OUTCOMES = hasVerdicts ? ["pass", "pass_with_findings", "fail"] : ["scored"];

/** The columns: name, title, by what they sort, what they show, and their class; trials only where something was
 * played twice. */
const COLUMNS = [
  ["outcome", logs ? "found" : hasVerdicts ? "outcome" : headline.title.toLowerCase(), (row) => (hasVerdicts ? { pass: 0, pass_with_findings: 1, fail: 2, not_scored: null }[row.outcome] : row.values[headline.name]), outcomeNode, "outcome"],
  ["task", say("task"), (row) => row.task, (row) => el("a", { href: episodeHash(row) }, taskName(row.task)), "task"],
  ["agent", say("agent"), (row) => agents.indexOf(row.agent), (row) => el("bdi", {}, row.agent), "hide agent"],
  ...columnFactors.map((factor) => [factor.name, factor.title.toLowerCase(), (row) => placeOf(allLevels(factor), row.levels[factor.name]),
    (row) => levelsOf([factor], row.levels), "hide"]),
  hasTrials ? ["trial", say("trial"), (row) => row.trial, (row) => row.trial, "hide no"] : null,
  ["calls", "calls", (row) => row.calls, (row) => row.calls, "hide no"],
  ...inTable.filter((metric) => logs || metric !== headline).map((metric) =>
    [metric.name, metric.title.toLowerCase(), (row) => row.values[metric.name], (row) => written(row.values[metric.name], metric), "hide no"]),
  ...columnTags.map((tag) => [tag.name, titleOf(tag), (row) => placeOf(tag.words, row.words[tag.name]), (row) => wordOf(row, tag), "hide"]),
].filter(Boolean);

/** Orders by one column. */
function sorted(list) {
  const chosen = COLUMNS.find(([name]) => name === filter.sort.replace(/^-/, ""));
  return chosen ? ordered(list, chosen[2], filter.sort.startsWith("-")) : list;
}

/** Whether each word is in the episode's names or anywhere in its record. */
function textTest(text, lines) {
  const needles = text.trim().toLowerCase().split(/\s+/).filter(Boolean).map((word) => {
    const stored = JSON.stringify(word).slice(1, -1);
    return [word, new RegExp(stored.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i")];
  });
  return (row) => needles.every(([word, pattern]) => {
    const names = [row.agent, row.task, ...levelsOf(factors, row.levels), ...tags.map((tag) => wordOf(row, tag))].join(" ").toLowerCase();
    return names.includes(word) || pattern.test(lines.get(row.id));
  });
}

let searches = 0;

/** Finds the episodes and goes on; at once, unless their records have to be unpacked for a search. */
function applyFilter(then) {
  const search = ++searches;
  const exact = EXACT.filter((name) => filter[name]);
  const is = (row, name) => row.is[name] === filter[name] || (name === "outcome" && filter[name] === "pass" && row.outcome === "pass_with_findings");
  const list = rows.filter((row) => exact.every((name) => is(row, name))
    && (!filter.finding || row.codes.includes(filter.finding)));
  const end = (fitting) => {
    found = sorted(fitting);
    then();
  };
  if (!filter.text.trim()) return end(list);
  byId("shown").textContent = "searching…";
  return linesOf(list).then((lines) => {
    if (search === searches) end(list.filter(textTest(filter.text, lines)));
  });
}

/** Each choice is a place to come back to; what is typed is one. */
function changeFilter(changes, typed) {
  const hash = filterHash({ ...filter, page: "", ...changes });
  if (typed && filter.text) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
  route();
}

const heading = ([name, label, , , className]) =>
  sortHead(name, label, className.endsWith(" no") ? "no" : null, filter.sort, (sort) => changeFilter({ sort }));

function listRow(row) {
  const open = (event) => { if (!event.target.closest("a") && !String(getSelection())) location.hash = episodeHash(row); };
  const short = [...levelsOf(columnFactors, row.levels), hasTrials ? `${say("trial")} ${row.trial}` : "", plural(row.calls, "call"), ...columnTags.map((tag) => wordOf(row, tag))];
  return el("tr", { onclick: open }, COLUMNS.map(([, , , show, className]) => el("td", { class: className }, show(row))),
    el("td", { class: "extra" }, el("bdi", {}, row.agent), short.filter(Boolean).map((text) => ` · ${text}`)));
}

function drawList() {
  const pages = Math.max(1, Math.ceil(found.length / PAGE));
  const page = Math.min(pages, Math.max(1, Number(filter.page) || 1));
  const shown = found.slice((page - 1) * PAGE, page * PAGE);
  byId("shown").textContent = found.length === rows.length
    ? plural(rows.length, say("episode")) : `${found.length.toLocaleString("en")} of ${plural(rows.length, say("episode"))}`;
  fill("list", found.length
    ? table(COLUMNS.map(heading), shown.map(listRow))
    : el("p", { class: "empty" }, say(rows.length ? "No episode fits these filters." : "This run has no episode.")));
  const turn = (to) => () => { 
    changeFilter({ page: String(to) });
    jump("episodes");
    byId("episodes").focus({ preventScroll: true });
  };
  drawChips(chosenFilters(), (name) => changeFilter({ [name]: "" }));
  byId("pager").hidden = pages === 1;
  fill("pager", el("button", { type: "button", disabled: page === 1, onclick: turn(page - 1) }, "Previous"),
    el("span", {}, `page ${page} of ${pages}`),
    el("button", { type: "button", disabled: page === pages, onclick: turn(page + 1) }, "Next"));
  for (const control of byId("filters").elements) {
    if (control.name && control !== document.activeElement) control.value = filter[control.name];
  }
}
