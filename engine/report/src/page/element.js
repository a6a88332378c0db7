"use strict";
// The few functions everything on a page is made of.
// Text of models and users reaches the page through textContent alone, never as markup.

const byId = (id) => document.getElementById(id);
const dataOf = (name) => byId(`data-${name}`).textContent;

/** `not_scored` as `not scored`. */
const words = (name) => String(name).replaceAll("_", " ");
const nouns = (count, noun) => (count === 1 ? noun : noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`);
const plural = (count, noun) => `${count.toLocaleString("en")} ${nouns(count, noun)}`;

/** Rounded half up, as the terminal does. */
const twoDigits = (value) => (Math.round(value * 100) / 100).toFixed(2);

/** Two digits; 0.00 and 1.00 only for what is 0 and 1. */
function number(value) {
  if (value === null || value === undefined) return "–";
  const inner = value > 0 && value < 1 ? Math.min(0.99, Math.max(0.01, value)) : value;
  return twoDigits(inner);
}

/** A relative change in whole percent. */
function percent(change) {
  const whole = Math.round(change * 100);
  return whole === 0 ? "0%" : `${whole > 0 ? "+" : "−"}${Math.abs(whole)}%`;
}

/** How many episodes a score stands on. */
function sizes(score) {
  if (!score) return "not played";
  return `n ${score.n}` + (score.not_scored ? ` of ${score.n + score.not_scored}` : "");
}

function build(node, props, children) {
  for (const [name, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
}

/** An element with attributes, `on...` listeners and children; strings become text. */
const el = (tag, props, ...children) => build(document.createElement(tag), props, children);
const svg = (tag, props, ...children) => build(document.createElementNS("http://www.w3.org/2000/svg", tag), props, children);
const fill = (id, ...children) => byId(id).replaceChildren(...children.flat(Infinity));

const colour = (place) => `c${place % 8}`;
const swatch = (className) => el("span", { class: `swatch ${className}`, "aria-hidden": "true" });

/** A name that may break behind its separators. */
const pieces = (name) => name.split(/(?<=[:/_])/).map((piece) => [piece, el("wbr")]);

/** A task by its short name, below where it belongs. */
function taskName(task) {
  const at = task.lastIndexOf("/") + 1;
  return [at ? el("span", { class: "where" }, pieces(task.slice(0, at - 1))) : null, " ", el("span", { class: "short" }, task.slice(at))];
}

/** Text with what stands between backquotes as code. */
const coded = (text) => long(el("bdi", {}), text, text.split("`").map((part, at) => (at % 2 ? el("code", {}, part) : part)));

/** What is chosen, each with a button that takes it off. */
function drawChips(chosen, takeOff) {
  byId("chosen").hidden = chosen.length === 0;
  fill("chosen", chosen.map(([name, label, value]) => el("li", {}, el("span", {}, `${label} `), el("bdi", {}, value),
    el("button", { type: "button", "aria-label": `take off ${label} ${value}`, onclick: () => takeOff(name) }, "×"))));
}

/** Says of each table that is wider than its place that it scrolls. */
function watchWidths() {
  const watch = new ResizeObserver((entries) => entries.forEach(({ target }) => tellWidth(target)));
  const tellWidth = (box) => box.classList.toggle("wide", box.scrollWidth > box.clientWidth + 1);
  const all = () => document.querySelectorAll(".scroll").forEach((box) => {
    watch.observe(box);
    tellWidth(box);
  });
  new MutationObserver(all).observe(document.body, { childList: true, subtree: true });
  all();
}

/** Long text scrolls in its place instead of stretching the page. */
function long(node, text, children = [text]) {
  if (text.length > 2000) build(node, { tabindex: "0", class: `${node.className} long`.trim() }, []);
  return build(node, {}, children);
}

/** A row of buttons of which one is pressed. */
function segmented(id, choices, chosen, choose) {
  const buttons = choices.map(([value, label]) =>
    el("button", { type: "button", value: String(value), "aria-pressed": String(value === chosen), onclick: () => take(value) }, label));
  function take(value) {
    press(id, value);
    choose(value);
  }
  fill(id, buttons);
}

/** Shows which button of a row is pressed; the buttons stay, and so does where the reader is. */
function press(id, chosen) {
  for (const button of byId(id).children) button.setAttribute("aria-pressed", String(button.value === String(chosen)));
}

function table(head, ...bodies) {
  return el("table", {}, el("thead", {}, el("tr", {}, head)), bodies.map((rows) => el("tbody", {}, rows)));
}
const column = (text, className) => el("th", { scope: "col", class: className }, text);

/** Shows what a mark means while it is hovered or focused. */
function tipped(mark, text) {
  const show = () => {
    const tip = byId("tip");
    tip.textContent = text;
    tip.hidden = false;
    const box = mark.getBoundingClientRect();
    const left = Math.min(Math.max(8, box.left + box.width / 2 - tip.offsetWidth / 2), innerWidth - tip.offsetWidth - 8);
    const above = box.top - tip.offsetHeight - 8;
    tip.style.left = `${left}px`;
    tip.style.top = `${above > 50 ? above : box.bottom + 8}px`;
  };
  const hide = () => { byId("tip").hidden = true; };
  mark.addEventListener("mouseenter", show);
  mark.addEventListener("mouseleave", hide);
  mark.addEventListener("focus", show);
  mark.addEventListener("blur", hide);
  return mark;
}

/** A mark of a chart: focusable, with a name, and acting like a link. */
function mark(tag, attributes, text, act) {
  const node = svg(tag, { ...attributes, tabindex: "0", role: "link", "aria-label": text.replaceAll("\n", ", ") });
  const go = () => { byId("tip").hidden = true; act(); };
  node.addEventListener("click", go);
  node.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); go(); }
  });
  return tipped(node, text);
}

/** The sign, the words and the colour of an outcome. */
const VERDICTS = {
  pass: ["✓", "pass", "pass"], pass_with_findings: ["!", "pass, with findings", "found"], fail: ["✗", "fail", "fail"], not_scored: ["–", "not scored", "none"],
  undecided: ["?", "undecided", "found"], not_measured: ["!", "not measured", "found"],
};
function verdict(outcome, label) {
  const [sign, text, className] = VERDICTS[outcome];
  return el("span", { class: `verdict ${className}` }, el("span", { "aria-hidden": "true" }, sign + " "), label || text);
}
