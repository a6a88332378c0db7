// The tables that the benchmark makes of all of an agent's episodes.

/** Numbers below nothing have a sign; what is undefined is no number. */
const sheetNumber = (value) => (value !== null && value < 0 ? `−${number(-value)}` : number(value));

function sheetCell({ value, remark }, { range }, agent) {
  return el("td", { class: "num" }, sheetNumber(value), range ? meter(value, { range }, agentColour(agent)) : null,
    remark ? el("span", { class: "small" }, remark) : null);
}

function sheetTable(sheet, agent) {
  const head = [column("measure"), ...sheet.columns.map((title) => column(title, "num"))];
  const rows = sheet.rows.map(({ name, cells }) =>
    el("tr", {}, el("th", { scope: "row" }, name), cells.map((cell) => sheetCell(cell, sheet, agent))));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `${sheet.title}: ${agent}` }, table(head, rows));
}

/** A fold for each sheet, in it a table for each agent; the printed ones are open. */
function drawSheets() {
  const sheets = new Map(agents.flatMap((agent) => (report.agents[agent].sheets ?? []).map((sheet) => [sheet.name, sheet])));
  byId("sheets-section").hidden = byId("to-sheets").hidden = sheets.size === 0;
  fill("sheets", [...sheets.values()].map((sheet) => {
    const of = (agent) => report.agents[agent].sheets?.find(({ name }) => name === sheet.name);
    const tables = agents.filter(of).flatMap((agent) => [el("h3", {}, agentName(agent)), sheetTable(of(agent), agent)]);
    const open = sheet.place === "table" ? { open: "" } : {};
    return el("details", { class: "fold", ...open }, el("summary", {}, sheet.title), el("p", { class: "note" }, sheet.note), tables);
  }));
}
