// Values for people: JSON that breaks where it is too long, lists of objects as tables, what is long behind a line.

const isPlain = (value) => value === null || typeof value !== "object";

/** A value as text: words as they are, the rest as JSON. */
const shown = (value) => (typeof value === "string" ? value : spaced(value));

/** JSON for people: what fits on a line stands on one. */
function pretty(value, indent = "") {
  const line = JSON.stringify(value);
  if (value === null || typeof value !== "object" || line.length + indent.length <= 76) return spaced(value);
  const inner = indent + "  ";
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const items = Array.isArray(value) ? value.map((item) => pretty(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${pretty(item, inner)}`);
  return `${open}\n${items.map((item) => inner + item).join(",\n")}\n${indent}${close}`;
}

function spaced(value) {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${spaced(item)}`).join(", ")}}`;
}

/** Columns of a table of objects at most; what has more is written as JSON. */
const COLUMNS_AT_MOST = 9;

/** A list of objects as a table, an object as its pairs, anything else as JSON. */
function valueNode(value) {
  const isObject = (item) => !isPlain(item) && !Array.isArray(item);
  if (Array.isArray(value) && value.length && value.every(isObject)) {
    const names = [...new Set(value.flatMap(Object.keys))];
    const cell = (item, name) => el("td", {}, name in item ? long(el("bdi", {}), shown(item[name])) : "");
    if (names.length && names.length <= COLUMNS_AT_MOST) {
      return el("div", { class: "scroll value", tabindex: "0", role: "group", "aria-label": "list" },
        table(names.map((name) => column(name)), value.map((item) => el("tr", {}, names.map((name) => cell(item, name))))));
    }
  }
  if (isObject(value) && Object.keys(value).length) return pairList(value);
  return el("pre", { tabindex: "0" }, typeof value === "string" ? value : pretty(value));
}

/** The fields of an object, those that hold lists of objects as tables. */
function pairList(value) {
  const item = (field) => (isPlain(field) || JSON.stringify(field).length <= 76 ? long(el("dd", {}), shown(field)) : el("dd", {}, valueNode(field)));
  return el("dl", { class: "pairs" }, Object.entries(value).map(([name, field]) => [el("dt", {}, name), item(field)]));
}

/** What a value is, in a word or two. */
function sizeOf(value) {
  if (Array.isArray(value)) return plural(value.length, "item");
  return isPlain(value) ? "a value" : plural(Object.keys(value).length, "field");
}

/** A value behind a line that opens it; it is written out when it is first opened. */
function folded(title, nodeOf, open) {
  const fold = el("details", { class: "fold" }, el("summary", {}, title));
  const write = () => {
    if (fold.children.length === 1) fold.append(nodeOf());
  };
  fold.addEventListener("toggle", () => { if (fold.open) write(); });
  fold.addEventListener("unfold", write);
  if (open) write();
  fold.open = Boolean(open);
  return fold;
}
