// The list of episodes: filters, order and pages, all kept in the address.

const PAGE = 50;
const NO_FILTER = { agent: "", variant: "", domain: "", environment: "", task: "", difficulty: "", outcome: "", mode: "", finding: "", text: "", sort: "", page: "" };
let filter = { ...NO_FILTER };
const EXACT = ["agent", "variant", "domain", "environment", "task", "difficulty", "outcome", "mode"];
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

const COLUMNS = [
  ["outcome", "outcome", (row) => ({ pass: 0, fail: 1, not_scored: null })[row.outcome]],
  ["task", "task", (row) => row.task],
  ["agent", "agent", (row) => agents.indexOf(row.agent)],
  ["variant", "behaviour", (row) => VARIANTS.indexOf(row.variant)],
  ["difficulty", "difficulty", (row) => DIFFICULTIES.indexOf(row.difficulty)],
  ["trial", "trial", (row) => row.trial],
  ["calls", "calls", (row) => row.calls],
  ["honesty", "honesty (rules)", (row) => row.honesty],
  ["discipline", "discipline (rules)", (row) => row.discipline],
  ["mode", "failure mode", (row) => (row.mode === null ? null : MODES.indexOf(row.mode))],
];

/** Orders by one column; what has no value stays last either way. */
function sorted(list) {
  const descending = filter.sort.startsWith("-");
  const chosen = COLUMNS.find(([name]) => name === filter.sort.replace("-", ""));
  if (!chosen) return list;
  const sign = descending ? -1 : 1;
  return list.map((row) => [chosen[2](row), row]).sort(([a], [b]) => {
    if (a === null || b === null) return (a === null) - (b === null);
    return (a < b ? -1 : a > b ? 1 : 0) * sign;
  }).map(([, row]) => row);
}

/** Whether each word is in the episode's names or anywhere in its record. */
function textTest(text, lines) {
  const needles = text.trim().toLowerCase().split(/\s+/).filter(Boolean).map((word) => {
    const stored = JSON.stringify(word).slice(1, -1);
    return [word, new RegExp(stored.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i")];
  });
  return (row) => needles.every(([word, pattern]) => {
    const names = `${row.agent} ${row.task} ${words(row.variant)} ${words(row.mode ?? "")}`.toLowerCase();
    return names.includes(word) || pattern.test(lines.get(row.id));
  });
}

let searches = 0;

/** Finds the episodes and goes on; at once, unless their records have to be unpacked for a search. */
function applyFilter(then) {
  const search = ++searches;
  const exact = EXACT.filter((name) => filter[name]);
  const list = rows.filter((row) => exact.every((name) => row[name] === filter[name])
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

function select(name, label, choices) {
  const options = choices.map(([value, text]) => el("option", { value }, text));
  const control = el("select", { name, onchange: (event) => changeFilter({ [name]: event.target.value }) }, el("option", { value: "" }, "all"), options);
  return el("label", {}, label, control);
}

function drawFilters() {
  const present = (values, name) => values.filter((value) => rows.some((row) => row[name] === value)).map((value) => [value, words(value)]);
  const same = (values) => values.map((value) => [value, value]);
  const distinct = (name) => same([...new Set(rows.map((row) => row[name]))].sort());
  let waiting = 0;
  const search = el("input", {
    name: "text", type: "search", placeholder: "words, tools, codes", autocomplete: "off", spellcheck: "false",
    oninput: (event) => {
      clearTimeout(waiting);
      waiting = setTimeout(() => changeFilter({ text: event.target.value }, true), 200);
    },
  });
  fill("filters",
    el("label", { class: "wide" }, "search all said and done", search),
    select("agent", "agent", same(agents)),
    select("variant", "behaviour", present(VARIANTS, "variant")),
    select("domain", "domain", distinct("domain")),
    select("environment", "environment", distinct("environment")),
    select("task", "task", distinct("task")),
    select("difficulty", "difficulty", present(DIFFICULTIES, "difficulty")),
    select("outcome", "outcome", [["pass", "pass"], ["fail", "fail"], ["not_scored", "not scored"]]),
    select("mode", "failure mode", present(MODES, "mode")),
    select("finding", "finding", same(index.codes)),
    el("button", { type: "button", class: "quiet", onclick: () => changeFilter({ ...NO_FILTER }) }, "Clear"));
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
}

/** The columns; trials only where something was played twice. */
const hasTrials = rows.some((row) => row.trial > 0);
const NUMBERS = ["trial", "calls", "honesty", "discipline"];
const SHOWN = COLUMNS.filter(([name]) => name !== "trial" || hasTrials);

function heading([name, label]) {
  const now = filter.sort.replace("-", "") === name;
  const descending = filter.sort.startsWith("-");
  const next = !now ? name : descending ? "" : `-${name}`;
  const sign = now ? (descending ? " ↓" : " ↑") : "";
  const className = NUMBERS.includes(name) ? "no" : null;
  return el("th", { scope: "col", class: className, "aria-sort": now ? (descending ? "descending" : "ascending") : null },
    el("button", { type: "button", "data-sort": name, onclick: () => {
      changeFilter({ sort: next });
      document.querySelector(`[data-sort="${name}"]`)?.focus();
    } }, label + sign));
}

function listRow(row) {
  const open = (event) => { if (!event.target.closest("a") && !String(getSelection())) location.hash = episodeHash(row); };
  const cell = (text, className) => el("td", { class: className }, text);
  const mode = row.mode ? words(row.mode) : "";
  return el("tr", { onclick: open },
    el("td", { class: "outcome" }, verdict(row.outcome)),
    el("td", { class: "task" }, el("a", { href: episodeHash(row) }, pieces(row.task))),
    cell(el("bdi", {}, row.agent), "hide agent"), cell(words(row.variant), "hide"), cell(row.difficulty, "hide"),
    hasTrials ? cell(row.trial, "hide no") : null, cell(row.calls, "hide no"),
    cell(number(row.honesty), "hide no"), cell(number(row.discipline), "hide no"), cell(mode, "hide"),
    cell([el("bdi", {}, row.agent), [words(row.variant), row.difficulty, hasTrials ? `trial ${row.trial}` : "", plural(row.calls, "call"), mode]
      .filter(Boolean).map((text) => ` · ${text}`)], "extra"));
}

function drawList() {
  const pages = Math.max(1, Math.ceil(found.length / PAGE));
  const page = Math.min(pages, Math.max(1, Number(filter.page) || 1));
  const shown = found.slice((page - 1) * PAGE, page * PAGE);
  byId("shown").textContent = found.length === rows.length
    ? plural(rows.length, "episode") : `${found.length.toLocaleString("en")} of ${plural(rows.length, "episode")}`;
  fill("list", found.length
    ? table(SHOWN.map(heading), shown.map(listRow))
    : el("p", { class: "empty" }, rows.length ? "No episode fits these filters." : "This run has no episode."));
  const turn = (to) => () => { 
    changeFilter({ page: String(to) });
    jump("episodes");
    byId("episodes").focus({ preventScroll: true });
  };
  byId("pager").hidden = pages === 1;
  fill("pager", el("button", { type: "button", disabled: page === 1, onclick: turn(page - 1) }, "Previous"),
    el("span", {}, `page ${page} of ${pages}`),
    el("button", { type: "button", disabled: page === pages, onclick: turn(page + 1) }, "Next"));
  for (const control of byId("filters").elements) {
    if (control.name && control !== document.activeElement) control.value = filter[control.name];
  }
}
