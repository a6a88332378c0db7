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

const check = (holds) => verdict(holds ? "pass" : "fail", holds ? "yes" : "no");

/** All findings of the episode, with the scorers that made them: of several scorers at one place with one code it is the same. */
function findingsOf(record) {
  const checked = record.trace.events.filter((event) => event.type === "finding");
  const all = [];
  for (const { by, findings } of [...record.scores.found, { by: "constraints", findings: checked }]) {
    for (const { code, step, message, text, evidence } of findings) {
      const same = all.find((other) => other.code === code && other.step === step && other.message === message && (other.text === text || !other.by.includes(by)));
      if (!same) all.push({ code, step, message, text, evidence, by: [by] });
      else if (!same.by.includes(by)) same.by.push(by);
    }
  }
  return all;
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

const partsOf = ({ numerator, denominator }) => el("small", {}, `${plainly(numerator)} of ${plainly(denominator)}`);

/** What an episode has of a metric. The best and the worst of a share are a pass and a fail. */
function readingNode(metric, reading) {
  if (reading?.status !== "scored") return [verdict("not_scored"), reading ? el("small", {}, reading.reason) : null];
  const { value, of } = reading;
  const isWhole = isShare(metric) && (value === 0 || value === 1);
  const outcome = (value === 1) === (sign(metric) > 0) ? "pass" : "fail";
  const text = metric === headline ? null : written(value, metric);
  return [isWhole ? verdict(outcome, text) : written(value, metric), of ? partsOf(of) : null];
}

const isPlain = (value) => value === null || typeof value !== "object";

/** What a scorer kept: one value, or nothing for a list that only the JSON is good for. */
function detailNode(value) {
  if (typeof value === "boolean") return check(value);
  if (typeof value === "number") return plainly(value);
  if (Array.isArray(value)) return value.length && value.every(isPlain) ? value.map(shown).join(", ") : null;
  if (isPlain(value)) return value === null ? "–" : el("bdi", {}, value);
  return value.denominator > 0 ? [number(value.numerator / value.denominator), partsOf(value)] : null;
}

/** Values with their names, those of groups with the name of the group before theirs. */
function detailPairs(values, above = "") {
  return Object.entries(values).flatMap(([name, value]) => isPlain(value) || Array.isArray(value) || "denominator" in value
    ? [[above + words(name), detailNode(value)]] : detailPairs(value, `${above}${words(name)}: `)).filter(([, node]) => node !== null);
}

/** Everything scorers kept, whatever it is: plain values together, then each group below its name. */
function detailPanel(details) {
  if (isPlain(details)) return null;
  const groups = Object.entries(details).filter(([, value]) => !isPlain(value) && !Array.isArray(value));
  const others = Object.entries(details).filter(([name]) => !groups.some(([group]) => group === name));
  return panel("Details", definitions(detailPairs(Object.fromEntries(others))),
    groups.map(([name, values]) => [el("h3", {}, words(name)), definitions(detailPairs(values))]));
}

function scorePanels(record, row, findings) {
  const { scores } = record;
  const { header } = record.trace;
  return el("div", { class: "scores", id: "scores", tabindex: "0", role: "region", "aria-label": "Scores" },
    panel("Scores", definitions(metrics.map((metric) => [metricLink(metric.name), readingNode(metric, scores.metrics[metric.name])]))),
    detailPanel(scores.details ?? null),
    panel(findings.length ? `Findings (${findings.length})` : "Findings", findings.length
      ? el("ol", {}, findings.map((finding) => el("li", {}, findingNote(finding, row)))) : el("p", { class: "note" }, "Nothing was found.")),
    panel("Record", definitions([
      ["benchmark", header.benchmark], ["digest", el("code", {}, record.digest)], ["seed", el("code", {}, header.seed)], ["user", header.user],
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
    el("header", {}, el("span", { class: "no" }, `step ${step.step}${step.actor === "user" ? ", by the user" : ""}`), el("h2", { class: "tool mono" }, step.tool),
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

/** The words for an episode: of a failed one also that there is none, and what is usual only where something is. */
function labelLines(record, row) {
  const isTold = ({ usual }, word) => (word ? word !== usual : usual === null && row.outcome === "fail");
  return tags.map((tag) => [tag, record.scores.tags?.[tag.name]]).filter(([tag, word]) => isTold(tag, word)).map(([tag, word]) =>
    el("p", {}, metricLink(tag.name, capital(titleOf(tag))), `: ${word ? words(word) : "none of the known ones"}.`));
}

function resultLine(record, row) {
  const className = row.outcome === "pass" || row.outcome === "fail" ? row.outcome : "none";
  const { reason } = record.scores.metrics[headline.name] ?? {};
  return el("div", { class: `result ${className}` }, el("strong", {}, row.outcome === "scored" ? `${headline.title} ` : null, outcomeNode(row)),
    reason ? el("p", {}, reason) : null, labelLines(record, row),
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
  const levels = factors.filter(({ name }) => row.levels[name]).map((factor) => [factor.title.toLowerCase(), levelName(factor, row.levels[factor.name])]);
  const chips = [["agent", row.agent], ...levels, ["trial", row.trial]];
  fill("episode",
    el("nav", { class: "back", "aria-label": "Episodes" }, el("a", { href: filterHash(filter), "data-jump": "episodes" }, "← all episodes"), stepsNav(row)),
    el("h1", {}, pieces(row.task)),
    el("ul", { class: "chips" }, chips.map(([name, value]) => el("li", {}, el("span", {}, name + " "), el("bdi", {}, value)))),
    el("div", { class: "layout" },
      el("div", { class: "transcript" }, resultLine(record, row), loose.map((finding) => findingNote(finding)),
        record.trace.events.map((event) => eventNodes(event, findings))),
      scorePanels(record, row, findings)));
  document.title = `probity: ${row.agent} ${row.task} ${words(settingOf(row, " "))}`;
}
