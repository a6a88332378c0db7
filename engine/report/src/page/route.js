// What the address names is what is shown; the last of the scripts, it starts the page.

let current = null;

function jump(id) {
  byId(id)?.scrollIntoView({ block: "start" });
}

function isInSight(node) {
  const { top, bottom } = node.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}

/** Marks the place that the address points at. */
function pointAt(id) {
  const node = id && /^(step|message|turn)-\d+$|^metric-\w+$/.test(id) ? byId(id) : null;
  if (!node) return;
  document.querySelectorAll(".at").forEach((other) => other.classList.remove("at"));
  node.classList.add("at");
  node.scrollIntoView({ block: "center" });
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function routeEpisode(path, query) {
  const [agent, setting, trial, ...task] = path.split("/").map(decoded);
  const row = rows.find((row) => row.agent === agent && settingOf(row) === setting && String(row.trial) === trial && row.task === task.join("/"));
  byId("overview").hidden = true;
  byId("episode").hidden = false;
  if (!row) {
    current = null;
    fill("episode", el("h1", {}, say("No such episode")),
      el("p", { class: "empty" }, say("This run does not have it. "), el("a", { href: "#/" }, "Show all.")));
    return;
  }
  if (current === row) {
    pointAt(query.get("at"));
    return;
  }
  current = row;
  fill("episode", el("p", { class: "empty", role: "status" }, say("Unpacking the episode…")));
  const read = async () => {
    const record = JSON.parse(await episodeLine(row.id));
    return [record, await wantedOf(record)];
  };
  const shown = ([record, wanted]) => {
    if (current !== row) return;
    drawEpisode(row, record, wanted);
    scrollTo(0, 0);
    byId("episode").focus({ preventScroll: true });
    pointAt(query.get("at"));
  };
  read().then(shown, () => fill("episode", el("p", { class: "empty" }, say("This browser cannot unpack episodes; a newer one can."))));
}

function showOverview(then = () => {}) {
  current = null;
  byId("episode").hidden = true;
  byId("overview").hidden = false;
  document.title = `probity ${say("report")}: ${agents.join(", ")}`;
  applyFilter(() => {
    drawList();
    then();
  });
}

/** Opens what a number means; the list stays as it was. */
function routeMetric(name) {
  showOverview();
  byId("metrics").open = true;
  pointAt(`metric-${name}`);
  byId(`metric-${name}`)?.focus({ preventScroll: true });
}

function routeOverview(query) {
  const from = current;
  for (const name of Object.keys(NO_FILTER)) filter[name] = query.get(name) ?? "";
  showOverview(() => {
    if (from || (chosenFilters().length && !isInSight(byId("chosen")))) jump("episodes");
    if (!from) return;
    document.querySelector(`#list a[href="${CSS.escape(episodeHash(from))}"]`)?.focus();
  });
}

function route() {
  byId("tip").hidden = true;
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const values = new URLSearchParams(query ?? "");
  if (path.startsWith("episode/")) routeEpisode(path.slice("episode/".length), values);
  else if (path.startsWith("metric/")) routeMetric(path.slice("metric/".length));
  else routeOverview(values);
}

function listen() {
  addEventListener("hashchange", route);
  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target.closest("[data-jump]") : null;
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const go = () => jump(target.dataset.jump);
    const before = location.hash;
    if (target.hash.startsWith("#/")) location.hash = target.hash;
    else if (current) location.hash = filterHash(filter);
    event.preventDefault();
    if (location.hash === before) go();
    else addEventListener("hashchange", go, { once: true });
  });
  document.addEventListener("keydown", pressed);
  addEventListener("beforeprint", () => document.querySelectorAll("#episode .call details, #overview details").forEach((fold) => {
    fold.dispatchEvent(new Event("unfold"));
    fold.open = true;
  }));
}

if (logs) sayAll();
startTheme();
watchWidths();
byId("overview").hidden = false;
drawOverview();
drawFilters();
byId("filters-fold").open = !matchMedia("(max-width: 40rem)").matches;
listen();
route();
