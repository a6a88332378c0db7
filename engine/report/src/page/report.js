// The data of the report: agents, and a row for each episode.

const report = JSON.parse(dataOf("report"));
const index = JSON.parse(dataOf("index"));
const agents = index.agents;

const modeColour = (mode) => `m${MODES.indexOf(mode)}`;
const agentName = (agent) => el("span", { class: "name" }, swatch(agentColour(agent)), el("bdi", {}, pieces(agent)));

const BUILT_IN = "Built-in agents";
/** What agents are in a run for, in the order of tables. */
const TIERS = [["examined", "Examined agents"], ["built_in", BUILT_IN], ["planted_fault", "Planted faults"]];
/** The tiers that have agents, with these. */
const tiers = TIERS.map(([group, title]) => [title, agents.filter((_, at) => index.groups[at] === group)]).filter(([, members]) => members.length);

const byTier = tiers.flatMap(([, members]) => members);
const agentColour = (agent) => colour(byTier.indexOf(agent));

// The rows of the index, with names in place of numbers and agents in the order of the run; `id` is the line.
const rows = index.rows.map(([agent, task, variant, trial, difficulty, sr, honesty, discipline, mode, calls, codes], id) => {
  const name = index.tasks[task];
  return {
    id, task: name, trial, sr, honesty, discipline, calls, codes: codes.map((code) => index.codes[code]),
    agent: agents[agent], variant: VARIANTS[variant], difficulty: DIFFICULTIES[difficulty],
    domain: name.slice(0, name.indexOf("/")), environment: name.slice(0, name.lastIndexOf("/")), mode: mode === null ? null : MODES[mode],
    outcome: sr === null ? "not_scored" : sr === 1 ? "pass" : "fail",
  };
}).sort((a, b) => agents.indexOf(a.agent) - agents.indexOf(b.agent));

const episodeHash = (row, at) =>
  `#/episode/${encodeURIComponent(row.agent)}/${row.variant}/${row.trial}/${row.task.split("/").map(encodeURIComponent).join("/")}${at ? `?at=${at}` : ""}`;
