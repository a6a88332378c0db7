// The table of agents and behaviours in the shape of the paper's, in tiers of agents.

const TOTALS = ["sr", "honesty", "discipline"];

function tierCell(agent, variant) {
  const score = scoreOf(agent, variant);
  const change = changeOf(agent, variant);
  const link = scoreLink(score, `${agent}, ${words(variant)}`, groupFilter(agent, variant), intervalOf(agent, variant));
  return el("td", { class: "num" }, link, el("span", { class: "change" }, change === null ? "" : percent(change)),
    el("span", { class: "small" }, sizes(score)));
}

function totalCell(agent, name, at) {
  const link = scoreLink(scoreOf(agent, "overall", name), `${agent}, ${METRICS[name][0]}`, { agent }, intervalOf(agent, "overall", name));
  return el("td", { class: at === 0 ? "num apart" : "num" }, link, el("span", { class: "small" }, sizes(scoreOf(agent, "overall", name))));
}

/** The mean over the agents that have a value, and how many those are. */
function meanOf(members, variant, name = quantity) {
  const values = members.map((agent) => valueOf(agent, variant, name)).filter((value) => value !== null);
  return { n: values.length, value: values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null };
}

function meanRow(members, totals) {
  const cell = ({ n, value }, className, change) => el("td", { class: className }, number(value),
    el("span", { class: "change" }, change === null ? "" : percent(change)),
    n === members.length ? null : el("span", { class: "small" }, `${n} of ${members.length}`));
  const means = GROUPS.map((variant) => {
    // Only agents that have both stand in a change.
    const both = members.filter((agent) => changeOf(agent, variant) !== null);
    const change = both.length === members.length ? relative(meanOf(both, variant).value, meanOf(both, "ideal").value) : null;
    return cell(meanOf(members, variant), "num", change);
  });
  const others = totals.map((name, at) => cell(meanOf(members, "overall", name), at === 0 ? "num apart" : "num", null));
  return el("tr", { class: "mean" }, el("th", { scope: "row" }, `mean of ${members.length} agents`), means, others);
}

function drawTiers() {
  const totals = TOTALS.filter((name) => name !== quantity);
  const head = [column("agent"), ...GROUPS.map((variant) => column(SHORT[variant].map((line) => [line, line.endsWith("-") ? el("wbr") : " "]), "num")),
    ...totals.map((name, at) => column(metricLink(name), at === 0 ? "num apart" : "num"))];
  const bodies = tiers.map(([title, members]) => [
    el("tr", { class: "group" }, el("th", { scope: "rowgroup", colspan: head.length }, el("span", { class: "stay" }, title))),
    members.map((agent) => el("tr", {}, el("th", { scope: "row" }, agentName(agent)),
      GROUPS.map((variant) => tierCell(agent, variant)), totals.map((name, at) => totalCell(agent, name, at)))),
    // A mean over what is perfect and what does nothing would say nothing.
    members.length > 1 && title !== BUILT_IN ? meanRow(members, totals) : null,
  ]);
  fill("behaviour-table", table(head, ...bodies));
}

/** pass@k and pass^k, where instances were played more than once. */
function drawTrials() {
  const most = Math.max(0, ...agents.map((agent) => report.agents[agent].overall.pass_at?.length ?? 0));
  byId("trials-fold").hidden = most === 0;
  const line = (agent, name, values) => el("tr", {}, el("th", { scope: "row" }, agentName(agent)), el("td", {}, name),
    Array.from({ length: most }, (_, at) => el("td", { class: "num" }, number(values?.[at]))));
  const head = [column("agent"), column("chance"), ...Array.from({ length: most }, (_, at) => column(`k = ${at + 1}`, "num"))];
  fill("trials", table(head, agents.map((agent) => {
    const { pass_at: some, pass_hat: all } = report.agents[agent].overall;
    return [line(agent, "pass@k: one of k succeeds", some), line(agent, "pass^k: all k succeed", all)];
  })));
}
