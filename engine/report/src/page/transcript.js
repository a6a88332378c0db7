// What was said and done in an episode, with the findings where they belong.

/** All findings of the episode, with the scorers that made them: of several scorers at one place with one code it is the same. */
function findingsOf(record) {
  const checked = record.trace.events.filter((event) => event.type === "finding");
  const all = [];
  // A finding may weigh nothing: then its number is full.
  const isFull = (name) => Boolean(metricOf(name)) && record.scores.metrics[name]?.value === metricOf(name).range[1];
  for (const { by, findings } of [...record.scores.found, { by: "constraints", findings: checked }]) {
    for (const { code, step, message, text, evidence } of findings) {
      const same = all.find((other) => other.code === code && other.step === step && other.message === message && (other.text === text || !other.by.includes(by)));
      if (!same) all.push({ code, step, message, text, evidence, by: [by], full: isFull(by) ? [by] : [] });
      else if (!same.by.includes(by)) {
        same.by.push(by);
        if (isFull(by)) same.full.push(by);
      }
    }
  }
  return all;
}

/** What somebody should read: nothing speaks for it, and nothing against it. It is drawn where it was said, and is no finding. */
function listOf(record) {
  const judged = about.judged_words?.[record.digest] ?? [];
  const isOf = (listed) => (one) => one.message === listed.message && one.start === listed.evidence?.start && one.end === listed.evidence?.end;
  return (record.scores.reading_list ?? []).map((listed) => ({ ...listed, by: [], isListed: true, judged: judged.filter(isOf(listed)).map(({ said }) => said) }));
}

/** The numbers that a finding lowers, beside the first one. */
const lowered = ({ by, full = [] }) => by.filter((name) => !full.includes(name)).map(metricOf).filter((metric) => metric && metric !== headline).map(({ title }) => title);

/** A finding in words; `linkTo` makes an address of the place it is about. */
function findingNote(finding, linkTo) {
  const at = finding.step ? `step-${finding.step}` : finding.message ? `message-${finding.message}` : null;
  const place = finding.step ? `step ${finding.step}` : finding.message ? `message ${finding.message}` : "";
  const kept = (finding.full ?? []).map((name) => metricOf(name).title);
  const lines = [lowered(finding).length ? `lowers ${lowered(finding).join(", ")}` : null, kept.length ? `weighs nothing in ${kept.join(", ")}` : null, linkTo && at ? el("a", { href: linkTo(at) }, place) : null].filter(Boolean);
  return el("div", { class: finding.isListed ? "finding listed" : "finding" }, el("span", { class: "code" }, finding.isListed ? "to read" : words(finding.code)), " ", coded(finding.text),
    (finding.judged ?? []).map((said) => el("div", { class: "by" }, `judged: ${said}`)),
    finding.evidence && !finding.isListed && !finding.text.includes(finding.evidence.against) ? el("div", { class: "by" }, "compared with ", coded(finding.evidence.against)) : null,
    lines.length ? el("div", { class: "by" }, lines.map((line, at) => [at ? " · " : "", line])) : null);
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
  if (isPlain(value) || Array.isArray(value)) return el("pre", {}, shown(value));
  return Object.keys(value).length ? pairList(value) : el("span", { class: "note" }, "none");
}

/** An observation that is no longer than this is open. */
const LONG = 300;

/** The steps whose observations matter to what was found: those that findings are about, and those that showed what
 * such a call then used. */
function mattering(record, findings) {
  const steps = record.trace.events.filter(({ type }) => type === "step");
  const about = new Set(findings.map(({ step }) => step).filter(Boolean));
  const matter = new Set(about);
  for (const step of steps.filter(({ step: number }) => about.has(number))) {
    const values = Object.values(isPlain(step.arguments) ? {} : step.arguments).filter((value) => typeof value === "string" && value.length > 2);
    const showed = ({ step: number, outcome }) => number < step.step && outcome.status === "ok"
      && values.some((value) => JSON.stringify(outcome.observation).includes(JSON.stringify(value)));
    const last = steps.findLast(showed);
    if (last) matter.add(last.step);
  }
  return matter;
}

function stepCard(step, findings, { ids, matter }) {
  const { outcome } = step;
  const ok = outcome.status === "ok";
  const refusal = ok ? null : outcome.rejection;
  const size = ok ? JSON.stringify(outcome.observation).length : 0;
  const fired = (step.fired ?? []).map((event) => el("div", {}, `${event.event} (+${event.advanced_minutes} minutes)`, deltaList(event.delta)));
  return el("article", { class: `call ${ok ? "ok" : "rejected"}`, id: ids ? `step-${step.step}` : null, "aria-label": `step ${step.step}: ${step.tool}` },
    el("header", {}, el("span", { class: "no" }, `step ${step.step}${step.actor === "user" ? ", by the user" : ""}`), el("h2", { class: "tool mono" }, step.tool),
      verdict(ok ? "pass" : "fail", ok ? "carried out" : `rejected: ${words(refusal.kind)}`)),
    el("div", { class: "body" },
      part("events that fired before it", fired.length ? fired : null),
      part("arguments", argumentList(step.arguments)),
      ok ? folded(`observation (${sizeOf(outcome.observation)})`, () => valueNode(outcome.observation), size <= LONG || matter.has(step.step))
        : part("rejection", [el("code", {}, refusal.code), ": ", coded(refusal.message), refusal.path ? ` (${refusal.path})` : null,
          refusal.detail ? el("div", { class: "note" }, `for the author: ${refusal.detail}`) : null]),
      part("what changed", ok ? deltaList(outcome.delta) : null),
      part("printed by the script", step.prints?.length ? el("pre", {}, step.prints.join("\n")) : null),
      findings.map((finding) => findingNote(finding))));
}

function bubble(className, who, text, id, findings = []) {
  const words = long(el("div", { class: "words" }), text || "(nothing)");
  const spans = findings.filter(({ evidence }) => evidence).map(({ evidence, isListed }) => ({ ...evidence, isListed }));
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
    const isListed = about.every((span) => span.isListed);
    return about.length ? el("mark", { class: isListed ? "listed" : null, title: about.map((span) => (span.isListed ? `to read: ${span.against}` : `compared with ${span.against}`)).join("\n") }, words) : words;
  });
}

/** A turn of the user, or an answer beside the script, and how a model came to the words. */
function userNodes({ turn, text, said, extra, afresh, rephrased }, { ids }) {
  const heard = said === undefined ? [] : [`said: ${said}`];
  const how = !rephrased ? heard : [...(rephrased.refused ?? []).map((why) => `words of the model were refused: ${why}`),
    rephrased.fell_back ? "the contract user\u2019s own words stand" : `meant: ${rephrased.meant}`];
  return [extra ? null : el("div", { class: "turn" }, `turn ${turn}`),
    bubble(extra ? "user aside" : "user", !extra ? "user" : afresh ? "user, again: what the agent did since is taken back" : "user, beside the script", text, extra || !ids ? null : `turn-${turn}`),
    how.map((line) => el("p", { class: "note" }, line))];
}

/** The nodes of an event; `how` says whether they can be linked to, and which observations matter. */
function eventNodes(event, findings, how) {
  const about = (place, value) => findings.filter((finding) => finding[place] === value && (place === "step" || !finding.step));
  switch (event.type) {
    case "user":
      return userNodes(event, how);
    case "reply":
      return [bubble(event.aside ? "agent aside" : "agent", `agent, message ${event.message}${event.aside ? " (aside, with calls)" : ""}`, event.text, how.ids ? `message-${event.message}` : null, about("message", event.message)),
        about("message", event.message).map((finding) => findingNote(finding))];
    case "step":
      return stepCard(event, about("step", event.step), how);
    case "note":
      if (event.about === "context") return el("p", { class: "note" }, `the agent is told: ${event.text}`);
      return event.about === "ruling" ? el("p", { class: "note" }, `judge: ${event.asked}: ${event.verdict ?? "no verdict"}`) : [];
    case "end":
      return el("p", { class: "end" }, `end: ${words(event.reason)}${event.detail ? `: ${event.detail}` : ""}`);
    default:
      return []; // A finding: it stands at its step.
  }
}
