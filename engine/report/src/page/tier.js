// The table of agents and levels in the shape of the paper's, in tiers of agents.

/** A value against that of the baseline, relatively; nothing where that is 0 or either is not scored. */
const relative = (value, base) => (value === null || !(base > 0) ? null : (value - base) / base);

const changeNode = (change) => (change === null ? null : el("span", { class: "change" }, percent(change)));

function tierCell(agent, level) {
  const score = scoreOf(agent, level);
  return el("td", { class: "num" }, scoreLink(score, quantity, `${agent}, ${groupName(level)}`, groupFilter(agent, level)),
    changeNode(changeOf(agent, level)), el("span", { class: "small" }, sizes(score)));
}

function totalCell(agent, metric, at) {
  const score = scoreOf(agent, ALL, metric);
  return el("td", { class: at === 0 ? "num apart" : "num" }, scoreLink(score, metric, `${agent}, ${metric.title}`, { agent }),
    el("span", { class: "small" }, sizes(score)));
}

/** The mean over the agents that have a value, and how many those are. */
function meanOf(members, level, metric = quantity) {
  const values = members.map((agent) => valueOf(agent, level, metric)).filter((value) => value !== null);
  return { n: values.length, value: values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null };
}

function meanRow(members, totals) {
  const cell = ({ n, value }, metric, className, change) => el("td", { class: className }, written(value, metric), changeNode(change),
    n === members.length ? null : el("span", { class: "small" }, `${n} of ${members.length}`));
  const means = GROUPS.map((level) => {
    // Only agents that have both stand in a change.
    const has = members.every((agent) => changeOf(agent, level) !== null);
    const change = has ? relative(meanOf(members, level).value, meanOf(members, baseline).value) : null;
    return cell(meanOf(members, level), quantity, "num", change);
  });
  const others = totals.map((metric, at) => cell(meanOf(members, ALL, metric), metric, at === 0 ? "num apart" : "num", null));
  return el("tr", { class: "mean" }, el("th", { scope: "row" }, `mean of ${members.length} ${say("agents")}`), means, others);
}

function drawTiers() {
  const totals = inTable.filter((metric) => metric !== quantity);
  const head = [column(say("agent")), ...GROUPS.map((level) => column(groupLines(level).map((line) => [line, line.endsWith("-") ? el("wbr") : " "]), "num")),
    ...totals.map(({ name }, at) => column(metricLink(name), at === 0 ? "num apart" : "num"))];
  const bodies = tiers.map(([title, members]) => [
    el("tr", { class: "group" }, el("th", { scope: "rowgroup", colspan: head.length }, el("span", { class: "stay" }, title))),
    members.map((agent) => el("tr", {}, el("th", { scope: "row" }, agentName(agent)),
      GROUPS.map((level) => tierCell(agent, level)), totals.map((metric, at) => totalCell(agent, metric, at)))),
    // A mean over what is perfect and what does nothing, or over planted faults, would say nothing.
    members.length > 1 && title === EXAMINED ? meanRow(members, totals) : null,
  ]);
  fill("levels-table", table(head, ...bodies));
}

/** pass@k and pass^k, where instances were played more than once. */
function drawTrials() {
  const most = Math.max(0, ...agents.map((agent) => report.agents[agent].overall.pass_at?.length ?? 0));
  byId("trials-fold").hidden = most === 0;
  byId("trials-title").textContent = `Repeated trials: pass@k and pass^k of ${headline.title}`;
  const line = (agent, name, values) => el("tr", {}, el("th", { scope: "row" }, agentName(agent)), el("td", {}, name),
    Array.from({ length: most }, (_, at) => el("td", { class: "num" }, number(values?.[at]))));
  const head = [column("agent"), column("chance"), ...Array.from({ length: most }, (_, at) => column(`k = ${at + 1}`, "num"))];
  fill("trials", table(head, agents.map((agent) => {
    const { pass_at: some, pass_hat: all } = report.agents[agent].overall;
    return [line(agent, "pass@k: one of k succeeds", some), line(agent, "pass^k: all k succeed", all)];
  })));
}
