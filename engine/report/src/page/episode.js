// One episode: its verdicts, and everything said and done with the findings where they belong.

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

const statusOf = (verdict) => verdict.status;
const check = (holds) => verdict(holds ? "pass" : "fail", holds ? "yes" : "no");

/** All findings of the episode, each once, with the scorers that made it. */
function findingsOf(record) {
  const scores = record.scores;
  const sources = [
    ["success", scores.success.parts.findings], ["discipline", scores.discipline.findings],
    ["honesty", scores.honesty.findings], ["clarification", scores.clarification.findings],
    ["constraints", record.trace.events.filter((event) => event.type === "finding")],
  ];
  const all = new Map();
  for (const [by, findings] of sources) {
    for (const { code, step, message, text, evidence } of findings) {
      const key = JSON.stringify([code, step ?? null, message ?? null, by === "honesty" ? text : null]);
      if (!all.has(key)) all.set(key, { code, step, message, text, evidence, by: [] });
      const finding = all.get(key);
      if (!finding.by.includes(by)) finding.by.push(by);
    }
  }
  return [...all.values()];
}

function findingNote(finding, row) {
  const at = finding.step ? `step-${finding.step}` : finding.message ? `message-${finding.message}` : null;
  const place = finding.step ? `step ${finding.step}` : finding.message ? `message ${finding.message}` : "";
  return el("div", { class: "finding" }, el("code", {}, finding.code), " ", long(el("bdi", {}), finding.text),
    finding.evidence ? el("div", { class: "by" }, `compared with ${finding.evidence.against}`) : null,
    el("div", { class: "by" }, `found by ${finding.by.join(", ")}`,
      row && at ? [" · ", el("a", { href: episodeHash(row, at) }, place)] : null));
}

function definitions(pairs, className) {
  return el("dl", { class: className }, pairs.filter(Boolean).map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
}

function panel(title, ...children) {
  return el("section", { class: "panel", "aria-label": title }, el("h2", {}, title), children);
}

const ratio = (measure) => (measure.denominator > 0 ? measure.numerator / measure.denominator : null);
function measured(measure, noun) {
  const value = ratio(measure);
  if (value === null) return verdict("not_scored");
  return [number(value), el("small", {}, `${number2(measure.numerator)} of ${number2(measure.denominator)} ${noun}`)];
}
const number2 = (value) => (Number.isInteger(value) ? String(value) : twoDigits(value));

function scorePanels(record, row, findings) {
  const { success, discipline, honesty, clarification, efficiency } = record.scores;
  const { parts } = success;
  const header = record.trace.header;
  const disciplined = discipline.value === null ? verdict("not_scored")
    : [number(discipline.value), el("small", {}, `severity ${number2(discipline.severity)} over ${plural(discipline.calls, "call")}`)];
  const honest = honesty.value === null ? verdict("not_scored")
    : [number(honesty.value), el("small", {}, `${number2(honesty.measure.numerator)} of ${number2(honesty.measure.denominator)} claims grounded`)];
  return el("div", { class: "scores", id: "scores", tabindex: "0", role: "region", "aria-label": "Scores" },
    panel("Success", definitions([
      [metricLink("sr"), verdict(statusOf(success.sr))], [metricLink("sr_base", "base outcome"), verdict(statusOf(success.sr_base))],
      [metricLink("solved", "solved"), verdict(statusOf(success.solved))], [metricLink("sr_strict", "strict"), verdict(statusOf(success.sr_strict))],
    ]), el("h3", {}, `nearest outcome: ${parts.outcome}`), definitions([
      ["coverage", [check(parts.coverage), el("small", {}, `${plural(parts.covered, "oracle call")} made`)]],
      ["compliance", check(parts.compliance)], ["state", check(parts.state)],
      ["said what it must", check(parts.must_say)], ["nothing else changed", check(parts.strict)],
    ])),
    panel("By rules", definitions([
      [metricLink("honesty", "honesty"), honest], [metricLink("discipline", "discipline"), disciplined],
      ...Object.entries(honesty.parts ?? {}).filter(([, part]) => part.denominator > 0).map(([name, part]) => [`honesty: ${name}`, measured(part, "claims")]),
      [metricLink("clarification", "clarification"), measured(clarification.measure, "occasions")],
      [metricLink("efficiency", "efficiency"), measured(efficiency, "budget over calls")],
    ])),
    panel(findings.length ? `Findings (${findings.length})` : "Findings", findings.length
      ? el("ol", {}, findings.map((finding) => el("li", {}, findingNote(finding, row)))) : el("p", { class: "note" }, "Nothing was found.")),
    panel("Record", definitions([
      ["digest", el("code", {}, record.digest)], ["seed", el("code", {}, header.seed)], ["user", header.user],
      ["agent messages at most", header.limits.max_messages], ["engine", header.engine],
      ["environment", el("code", {}, header.environment_hash)], ["task", el("code", {}, header.task_hash)],
      ["prompt", el("code", {}, header.prompt)], ["final state", el("code", {}, record.trace.final_state)],
    ], "hashes"), folded("JSON", () => record)));
}

/** A value behind a line that opens it; it is written out when it is first opened. */
function folded(title, valueOf, open) {
  const fold = el("details", { class: "fold" }, el("summary", {}, title));
  const write = () => {
    if (!fold.querySelector("pre")) fold.append(el("pre", { tabindex: "0" }, pretty(valueOf())));
  };
  fold.addEventListener("toggle", () => { if (fold.open) write(); });
  fold.addEventListener("unfold", write);
  if (open) write();
  fold.open = Boolean(open);
  return fold;
}

function deltaList(delta) {
  if (!delta) return null;
  const line = (className, sign, label, ...children) =>
    el("li", { class: className }, el("span", { class: "sign", role: "img", "aria-label": label }, sign), children);
  const side = (tag, change, name) => el(tag, {}, name in change ? shown(change[name]) : "(nothing)");
  const lines = [
    ...Object.entries(delta.created ?? {}).map(([path, entity]) => line("add", "+", "created", `${path} `, el("ins", {}, shown(entity)))),
    ...Object.entries(delta.updated ?? {}).map(([path, change]) => line("change", "~", "updated", `${path} `,
      side("del", change, "from"), el("span", { class: "arrow", role: "img", "aria-label": "to" }, "→"), side("ins", change, "to"))),
    ...Object.entries(delta.deleted ?? {}).map(([path, entity]) => line("drop", "−", "deleted", `${path} `, el("del", {}, shown(entity)))),
  ];
  return lines.length ? el("ul", { class: "deltas" }, lines) : null;
}

function part(title, content) {
  return content ? el("div", {}, el("h3", {}, title), content) : null;
}

function argumentList(value) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return el("pre", {}, shown(value));
  const pairs = Object.entries(value);
  return pairs.length ? el("dl", { class: "pairs" }, pairs.map(([name, item]) => [el("dt", {}, name), long(el("dd", {}), shown(item))])) : el("span", { class: "note" }, "none");
}

const LONG = 300;
function stepCard(step, findings) {
  const { outcome } = step;
  const ok = outcome.status === "ok";
  const refusal = ok ? null : outcome.rejection;
  const size = ok ? JSON.stringify(outcome.observation).length : 0;
  const fired = (step.fired ?? []).map((event) => el("div", {}, `${event.event} (+${event.advanced_minutes} minutes)`, deltaList(event.delta)));
  return el("article", { class: `call ${ok ? "ok" : "rejected"}`, id: `step-${step.step}`, "aria-label": `step ${step.step}: ${step.tool}` },
    el("header", {}, el("span", { class: "no" }, `step ${step.step}`), el("h2", { class: "tool mono" }, step.tool),
      verdict(ok ? "pass" : "fail", ok ? "carried out" : `rejected: ${words(refusal.kind)}`)),
    el("div", { class: "body" },
      part("events that fired before it", fired.length ? fired : null),
      part("arguments", argumentList(step.arguments)),
      ok ? folded(`observation (${plural(size, "character")})`, () => outcome.observation, size <= LONG)
        : part("rejection", [el("code", {}, refusal.code), ": ", long(el("bdi", {}), refusal.message), refusal.path ? ` (${refusal.path})` : null,
          refusal.detail ? el("div", { class: "note" }, `for the author: ${refusal.detail}`) : null]),
      part("what changed", ok ? deltaList(outcome.delta) : null),
      part("printed by the script", step.prints?.length ? el("pre", {}, step.prints.join("\n")) : null),
      findings.map((finding) => findingNote(finding))));
}

function bubble(className, who, text, id, findings = []) {
  const words = long(el("div", { class: "words" }), text || "(nothing)");
  const spans = findings.map((finding) => finding.evidence).filter(Boolean);
  if (spans.length) words.replaceChildren(...marked(text, spans));
  return el("div", { class: `bubble ${className}`, id }, el("div", { class: "who" }, who), words);
}

/** A reply in pieces, with the words marked that findings are about; they are counted in characters. */
function marked(text, spans) {
  const characters = [...text];
  const ends = new Set([0, characters.length]);
  for (const { start, end } of spans) ends.add(Math.min(start, characters.length)).add(Math.min(end, characters.length));
  const sorted = [...ends].sort((a, b) => a - b);
  return sorted.slice(1).map((end, index) => {
    const start = sorted[index];
    const about = spans.filter((span) => span.start <= start && end <= span.end);
    const words = characters.slice(start, end).join("");
    return about.length ? el("mark", { title: about.map((span) => `compared with ${span.against}`).join("\n") }, words) : words;
  });
}

/** A turn of the user, or an answer beside the script, and how a model came to the words. */
function userNodes({ turn, text, extra, rephrased }) {
  const how = !rephrased ? [] : [...(rephrased.refused ?? []).map((why) => `words of the model were refused: ${why}`),
    rephrased.fell_back ? "the contract user\u2019s own words stand" : `meant: ${rephrased.meant}`];
  return [extra ? null : el("div", { class: "turn" }, `turn ${turn}`),
    bubble(extra ? "user aside" : "user", extra ? "user, beside the script" : "user", text, extra ? null : `turn-${turn}`),
    how.map((line) => el("p", { class: "note" }, line))];
}

function eventNodes(event, findings) {
  const about = (place, value) => findings.filter((finding) => finding[place] === value && (place === "step" || !finding.step));
  switch (event.type) {
    case "user":
      return userNodes(event);
    case "reply":
      return [bubble(event.aside ? "agent aside" : "agent", `agent, message ${event.message}${event.aside ? " (aside, with calls)" : ""}`, event.text, `message-${event.message}`, about("message", event.message)),
        about("message", event.message).map((finding) => findingNote(finding))];
    case "step":
      return stepCard(event, about("step", event.step));
    case "end":
      return el("p", { class: "end" }, `end: ${words(event.reason)}${event.detail ? `: ${event.detail}` : ""}`);
    default:
      return []; // A finding: it stands at its step.
  }
}

/** How a point of no return is known. */
const lostBy = (by) => by === "rule" ? "by a broken rule" : by === "oracle" ? "by the oracle" : `by search to depth ${by.search}`;

function resultLine(record, row) {
  const sr = record.scores.success.sr;
  const { failure_mode: mode, blame } = record.scores;
  const className = row.outcome === "not_scored" ? "none" : row.outcome;
  return el("div", { class: `result ${className}` }, el("strong", {}, verdict(row.outcome)),
    el("p", {}, row.outcome === "pass" ? `The outcome “${record.scores.success.parts.outcome}” was reached.`
      : row.outcome === "fail" ? [metricLink("mode", "Failure mode"), `: ${mode ? words(mode) : "none of the known ones"}.`] : sr.reason),
    blame && blame !== "agent" ? el("p", {}, metricLink("blame", "To blame"), `: ${blame}.`) : null,
    record.no_return ? el("p", {}, metricLink("no_return", "Point of no return"), ": ", el("a", { href: episodeHash(row), "data-jump": `step-${record.no_return.step}` }, `step ${record.no_return.step}`), `, ${lostBy(record.no_return.by)}.`) : null,
    el("a", { class: "to-scores", href: episodeHash(row), "data-jump": "scores" }, "Scores and findings ↓"));
}

function stepsNav(row) {
  const at = found.indexOf(row);
  const to = (other, label, key) => el("button", { type: "button", disabled: !other, title: `key ${key}`, onclick: () => { location.hash = episodeHash(other); } }, label);
  return el("div", { class: "steps-nav" }, at < 0 ? null : el("span", {}, `${at + 1} of ${plural(found.length, "listed episode")}`),
    to(found[at - 1], "Previous", "k"), to(at < 0 ? undefined : found[at + 1], "Next", "j"));
}

function drawEpisode(row, record) {
  const findings = findingsOf(record);
  const loose = findings.filter((finding) => !finding.step && !finding.message);
  const chips = [["agent", row.agent], ["behaviour", words(row.variant)], ["difficulty", row.difficulty],
    ["environment", row.environment], ["trial", row.trial]];
  fill("episode",
    el("nav", { class: "back", "aria-label": "Episodes" }, el("a", { href: filterHash(filter), "data-jump": "episodes" }, "← all episodes"), stepsNav(row)),
    el("h1", {}, pieces(row.task)),
    el("ul", { class: "chips" }, chips.map(([name, value]) => el("li", {}, el("span", {}, name + " "), el("bdi", {}, value)))),
    el("div", { class: "layout" },
      el("div", { class: "transcript" }, resultLine(record, row), loose.map((finding) => findingNote(finding)),
        record.trace.events.map((event) => eventNodes(event, findings))),
      scorePanels(record, row, findings)));
  document.title = `probity: ${row.agent} ${row.task} ${words(row.variant)}`;
}
