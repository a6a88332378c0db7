// The data of the report: agents, and a row for each episode.

const report = JSON.parse(dataOf("report"));
const index = JSON.parse(dataOf("index"));
const about = JSON.parse(dataOf("about"));
const agents = index.agents;

/** Logs that were audited, in place of a run: dialogues of log files are shown then, and nothing passes or fails. */
const logs = about.logs ?? null;
const SAID = {
  episode: "dialogue", episodes: "dialogues", Episode: "Dialogue", Episodes: "Dialogues", task: "dialogue", tasks: "dialogues", Task: "Dialogue",
  agent: "log file", agents: "log files", Agent: "Log file", Agents: "Log files", run: "audit", Run: "Audit", trial: "time", report: "audit",
  failed: "have contradicted claims", played: "read",
};
/** The page's own words, as they are said of what it shows. */
const say = (text) => (logs ? text.replace(/[A-Za-z]+/g, (word) => SAID[word] ?? word) : text);

/** The words that stand in the page before anything is drawn. */
function sayAll() {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const isWord = (node) => !node.parentElement.closest("script, style, code");
  const nodes = [];
  while (walk.nextNode()) nodes.push(walk.currentNode);
  for (const node of nodes.filter(isWord)) node.data = say(node.data);
  document.querySelectorAll("[aria-label]").forEach((node) => node.setAttribute("aria-label", say(node.getAttribute("aria-label"))));
  Object.assign(VERDICTS, {
    pass: ["✓", "nothing found", "pass"], pass_with_findings: ["!", "with findings in calls", "found"], fail: ["✗", "contradicted", "fail"], not_scored: ["–", "no claim", "none"],
  });
}

/** The tag whose words are drawn: the card's first. */
const drawnTag = tags[0] ?? null;
const wordColour = (word) => `m${drawnTag.words.indexOf(word) % 6}`;
/** All levels of a factor: those of the card, then what else was played. */
const allLevels = (factor) => [...new Set([...factor.levels.map(({ name }) => name), ...index.levels[factors.indexOf(factor)]])];
const agentName = (agent) => el("span", { class: "name" }, swatch(agentColour(agent)), el("bdi", {}, pieces(agent)));

const EXAMINED = logs ? "Log files" : "Examined agents";
/** What agents are in a run for, in the order of tables. */
const TIERS = [["examined", EXAMINED], ["built_in", "Built-in agents"], ["planted_fault", "Planted faults"], ["cheat", "Cheats"]];
/** The tiers that have agents, with these. */
const tiers = TIERS.map(([group, title]) => [title, agents.filter((_, at) => index.groups[at] === group)]).filter(([, members]) => members.length);

const byTier = tiers.flatMap(([, members]) => members);
const agentColour = (agent) => colour(byTier.indexOf(agent));

/** The named things of a row, by the names of what they are of. */
const named = (things, valueOf) => Object.fromEntries(things.map((thing, at) => [thing.name, valueOf(thing, at)]));

/** How urgent it is to look at an episode. */
const URGENCY = { fail: 0, pass_with_findings: 1, not_scored: 2, scored: 3, pass: 3 };

/** The failed first, then those passed with findings; each by agent, in the order of the run, task, setting and trial. */
const orderOf = ({ a, t, n, l, o }) => [URGENCY[o], a, t, ...settings.map((factor) => l[factors.indexOf(factor)] ?? -1), n];
const inOrder = ([one], [other]) => one.map((place, at) => place - other[at]).find((apart) => apart !== 0) ?? 0;

// The rows of the index, with names in place of numbers; `id` is the line, `is` what filters ask for.
const rows = index.rows.map((placed, id) => [orderOf(placed), placed, id]).sort(inOrder).map(([, { a, t, n, l, o, m, w, c, f }, id]) => {
  const levels = named(factors, (_, at) => index.levels[at][l[at]] ?? null);
  const values = Object.fromEntries(index.metrics.map((name, at) => [name, m[at]]));
  const row = { id, agent: agents[a], task: index.tasks[t], trial: n, levels, values, calls: c, codes: f.map((code) => index.codes[code]) };
  row.words = named(tags, ({ words }, at) => words[w[at]] ?? null);
  row.outcome = o;
  row.is = { ...levels, ...row.words, agent: row.agent, task: row.task, outcome: row.outcome };
  return row;
});

/** The outcome as a verdict, or as the number where there is none. */
const outcomeNode = (row) => (row.outcome === "scored" ? written(row.values[headline.name], headline) : verdict(row.outcome));

/** The levels that a task was played at: a part of an episode's name. */
const settingOf = ({ levels }, between = "+") => settings.map(({ name }) => levels[name]).filter(Boolean).join(between) || "-";

function episodeHash(row, at) {
  const parts = [row.agent, settingOf(row), row.trial, ...row.task.split("/")].map(encodeURIComponent).map((part) => part.replaceAll("%2B", "+"));
  return `#/episode/${parts.join("/")}${at ? `?at=${at}` : ""}`;
}
