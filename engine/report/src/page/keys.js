// What keys do: `/` searches, j and k or the arrows move, Escape goes back.

const STEPS = { j: 1, ArrowDown: 1, ArrowRight: 1, k: -1, ArrowUp: -1, ArrowLeft: -1 };

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const field = event.target.closest("input, select, textarea");
  if (field) keyInField(event, field);
  else if (event.key === "/") toSearch(event);
  else if (current) keyInEpisode(event);
  else keyInList(event);
}

function toSearch(event) {
  event.preventDefault();
  if (current) location.hash = filterHash(filter);
  byId("filters-fold").open = true;
  const search = byId("filters").elements.text;
  setTimeout(() => {
    jump("episodes");
    search?.focus({ preventScroll: true });
    search?.select();
  }, current ? 50 : 0);
}

/** From the search the list is one key away. */
function keyInField(event, field) {
  if (field.name !== "text") return;
  if (event.key === "Escape" && !field.value) field.blur();
  if (event.key !== "ArrowDown" && event.key !== "Enter") return;
  event.preventDefault();
  focusRow(0);
}

function keyInEpisode(event) {
  const next = found[found.indexOf(current) + (event.key.startsWith("ArrowU") || event.key.startsWith("ArrowD") ? 0 : STEPS[event.key] ?? 0)];
  const inScroller = event.key.startsWith("Arrow") && event.target.closest("[tabindex='0']");
  if (event.key === "Escape") location.hash = filterHash(filter);
  else if (next && next !== current && found.includes(current) && !inScroller) location.hash = episodeHash(next);
}

function focusRow(at) {
  const links = [...document.querySelectorAll("#list td.task a")];
  links[Math.max(0, Math.min(links.length - 1, at))]?.focus();
}

/** j and k move wherever the focus is; arrows scroll unless it is in the list. */
function keyInList(event) {
  const links = [...document.querySelectorAll("#list td.task a")];
  const at = links.indexOf(document.activeElement);
  const step = STEPS[event.key];
  if (!step || event.key === "ArrowLeft" || event.key === "ArrowRight" || (at < 0 && event.key.startsWith("Arrow"))) return;
  event.preventDefault();
  if (at + step < links.length) return focusRow(at < 0 ? 0 : at + step);
  if (byId("pager").hidden || byId("pager").lastElementChild.disabled) return;
  byId("pager").lastElementChild.click();
  focusRow(0);
}
