// What was wanted of an episode: the goal, the calls beside those made, and what the agent was told.

let wantedTexts = null;

/** What was wanted at each instance, unpacked once. */
function allWanted() {
  wantedTexts ??= unpack(dataOf("wanted")).then(([text]) => JSON.parse(text));
  return wantedTexts;
}

/** What was wanted of a record; nothing where the benchmark does not say. */
async function wantedOf({ trace: { header } }) {
  const { instances, sections } = await allWanted();
  const levels = Object.keys(header.levels).sort().map((factor) => header.levels[factor]);
  const own = instances[[header.task, ...(levels.length ? levels : ["-"])].join(" ")];
  return own ? { ...own, sections: own.sections.map((at) => sections[at]) } : null;
}

const goalNode = (wanted) => (wanted ? el("p", { class: "goal" }, el("span", { class: "label" }, "Wanted: "), wanted.goal) : null);

/** An argument as it was wanted; one that was given otherwise with both values. */
function argumentNode(name, wanted, given, isMade) {
  const isSame = !isMade || JSON.stringify(wanted) === JSON.stringify(given);
  const value = (tag, of) => el(tag, {}, of === undefined ? "(nothing)" : shown(of));
  return [el("span", { class: "label" }, `${name}: `), isSame ? value("span", wanted)
    : [value("del", given), el("span", { class: "arrow", role: "img", "aria-label": "in place of" }, " ≠ "), value("ins", wanted)]];
}

/** A call in a line; `made` is the step that was made in its place. */
function callNode({ tool, arguments: wanted }, made) {
  const given = made && !isPlain(made.arguments) ? made.arguments : {};
  const names = [...new Set([...Object.keys(wanted), ...Object.keys(given)])];
  return el("span", { class: "mono" }, tool, "(", names.map((name, at) => [at ? ", " : "", argumentNode(name, wanted[name], given[name], made)]), ")");
}

/** The calls that were wanted beside the steps that stand for them. */
function pairedCalls(record, wanted, linkTo) {
  const { paired } = record.scores;
  const way = wanted?.ways.find(({ name }) => name === paired?.way);
  if (!way?.calls.length) return null;
  const steps = new Map(record.trace.events.filter(({ type }) => type === "step").map((step) => [step.step, step]));
  const link = (step) => (linkTo ? el("a", { href: linkTo(`step-${step}`) }, `step ${step}`) : `step ${step}`);
  const lines = way.calls.map((call, at) => {
    const [own, other] = [paired.steps[at], paired.instead?.[at]];
    const made = own ? [verdict("pass", "made"), " ", link(own)] : other ? [verdict("fail", "otherwise"), " ", link(other)] : verdict("fail", "not made");
    return el("tr", {}, el("td", { class: "num" }, at + 1), el("td", { class: "wanted" }, callNode(call, own ? null : steps.get(other))), el("td", { class: "made" }, made));
  });
  const known = new Set([...paired.steps, ...(paired.instead ?? [])]);
  const beside = [...steps.values()].filter(({ step }) => !known.has(step));
  const also = beside.map((step, at) => [at ? ", " : "", el("span", { class: "mono" }, step.tool), " (", link(step.step), ")"]);
  const missing = paired.steps.filter((step) => !step).length;
  return el("details", { class: "fold paired", open: missing > 0 },
    el("summary", {}, missing ? `Calls wanted: ${missing} of ${way.calls.length} not made` : `Calls wanted: all ${way.calls.length} made`),
    el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Calls wanted and made" },
      table([column("call", "num"), column("wanted"), column("made")], lines)),
    also.length ? el("p", { class: "note" }, "Also made: ", also, ".") : null);
}

/** What else there is to know, folded: rules, what the agent was told, its tools. */
function sectionNodes(wanted) {
  if (!wanted?.sections.length) return null;
  const list = (lines) => el("ul", { class: "lines" }, lines.map((line) => el("li", {}, coded(line))));
  return el("div", { class: "sections-of" }, wanted.sections.map(({ title, lines }) => folded(title, () => list(lines))));
}
