// Tables that the heads of their columns sort: `calls` upwards, `-calls` downwards.

/** A list by what `of` gives of each; what has no value stays last either way. */
function ordered(list, of, descending) {
  const way = descending ? -1 : 1;
  return list.map((row) => [of(row), row]).sort(([a], [b]) => {
    if (a === null || b === null) return (a === null) - (b === null);
    return (a < b ? -1 : a > b ? 1 : 0) * way;
  }).map(([, row]) => row);
}

/** The head of a column: pressed once it sorts, again the other way, then not at all; `down` has the greatest first. */
function sortHead(name, label, className, sort, choose, down = false) {
  const steps = down ? [`-${name}`, name, ""] : [name, `-${name}`, ""];
  const now = steps.indexOf(sort) === 2 ? -1 : steps.indexOf(sort);
  const sign = now < 0 ? "" : sort.startsWith("-") ? " ↓" : " ↑";
  const order = sort.startsWith("-") ? "descending" : "ascending";
  return el("th", { scope: "col", class: className, "aria-sort": now < 0 ? null : order },
    el("button", { type: "button", "data-sort": name, onclick: () => {
      choose(steps[now + 1]);
      document.querySelector(`[data-sort="${CSS.escape(name)}"]`)?.focus();
    } }, label, sign));
}
