// Both sides of a changed episode: the turn in which they part, and each of them whole.

/** The records of a changed episode: the base's, then the new run's; with what was wanted of them. */
async function bothOf(place) {
  const [base, now] = await Promise.all([episodeLine(2 * place), episodeLine(2 * place + 1)]);
  const records = [JSON.parse(base), JSON.parse(now)];
  return { records, wanted: await wantedOf(records[0]) };
}

const SIDES = ["base", "new"];

/** The nodes of some events of a record. */
function nodesOf(record, events) {
  const findings = findingsOf(record);
  const how = { ids: false, matter: mattering(record, findings) };
  const nodes = events.flatMap((event) => eventNodes(event, findings, how)).flat(Infinity).filter(Boolean);
  return nodes.length ? nodes : [el("p", { class: "note" }, "(ended)")];
}

function columnsOf(contents) {
  return el("div", { class: "sides" }, contents.map((nodes, at) => el("div", { class: "side transcript" }, el("h3", {}, SIDES[at]), nodes)));
}

/** From the start of the turn in which two episodes part up to its end on each side. */
function turnAround({ records }, first) {
  const [{ trace: { events: base } }] = records;
  const isTurn = ({ type, extra }) => type === "user" && !extra;
  const before = base.slice(0, first.event);
  const start = Math.max(0, before.findLastIndex(isTurn));
  const rest = (events) => {
    const end = events.findIndex((event, at) => at > first.event && isTurn(event));
    return events.slice(first.event, end < 0 ? events.length : end);
  };
  const common = before.slice(start);
  return [common.length ? el("div", { class: "transcript" }, nodesOf(records[0], common)) : null,
    columnsOf(records.map((record) => nodesOf(record, rest(record.trace.events))))];
}

/** What findings the new episode has, and what was wanted of both. */
function wholeSides({ records, wanted }) {
  return columnsOf(records.map((record) => [pairedCalls(record, wanted), findingsOf(record).filter(({ step, message }) => !step && !message).map((finding) => findingNote(finding)),
    nodesOf(record, record.trace.events)]));
}

/** The goal, the turn around the first difference, and both episodes whole behind a line. */
function drawSides(box, place, first) {
  const draw = (both) => box.replaceChildren(...[goalNode(both.wanted), first ? turnAround(both, first) : null, sectionNodes(both.wanted),
    folded("Both episodes whole", () => wholeSides(both))].flat(Infinity).filter(Boolean));
  bothOf(place).then(draw, () => box.replaceChildren(el("p", { class: "note" }, "This browser cannot unpack episodes; a newer one can.")));
}
