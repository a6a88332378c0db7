// One episode: its verdicts, what was wanted of it, and all that was said and done.

const check = (holds) => verdict(holds ? "pass" : "fail", holds ? "yes" : "no");

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
  const isWhole = !logs && isShare(metric) && (value === 0 || value === 1);
  const outcome = (value === 1) === (sign(metric) > 0) ? "pass" : "fail";
  const text = metric === headline ? null : written(value, metric);
  return [isWhole ? verdict(outcome, text) : written(value, metric), of ? partsOf(of) : null];
}

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

function scorePanels(record, row, findings, listed) {
  const { scores } = record;
  const { header } = record.trace;
  const linkTo = (at) => episodeHash(row, at);
  return el("div", { class: "scores", id: "scores", role: "group", "aria-label": "Findings and scores" },
    panel(findings.length ? `Findings (${findings.length})` : "Findings", findings.length
      ? el("ol", {}, findings.map((finding) => el("li", {}, findingNote(finding, linkTo)))) : el("p", { class: "note" }, "Nothing was found.")),
    listed.length ? panel(`To read (${listed.length})`, el("p", { class: "note" }, "Nothing known speaks for these words, and nothing against them: they count in no verdict."),
      el("ol", {}, listed.map((one) => el("li", {}, findingNote(one, linkTo))))) : null,
    panel("Scores", definitions(metrics.filter(({ only }) => !only || record.factors[only[0]] === only[1]).map((metric) => [metricLink(metric.name), readingNode(metric, scores.metrics[metric.name])]))),
    detailPanel(scores.details ?? null),
    logs ? panel("Record", definitions([["log", el("bdi", {}, header.environment)], ["read by", `probity ${header.engine}`]]),
      folded("JSON", () => el("pre", { tabindex: "0" }, pretty(record)))) : panel("Record", definitions([
      ["benchmark", header.benchmark], ["digest", el("code", {}, record.digest)], ["seed", el("code", {}, header.seed)], ["user", header.user],
      ["agent messages at most", header.limits.max_messages], ["engine", header.engine],
      ["environment", el("code", {}, header.environment_hash)], ["task", el("code", {}, header.task_hash)],
      ["prompt", el("code", {}, header.prompt)], ["final state", el("code", {}, record.trace.final_state)],
    ], "hashes"), folded("JSON", () => el("pre", { tabindex: "0" }, pretty(record)))));
}

/** The words for an episode: of a failed one also that there is none, and what is usual only where something is. */
function labelLines(record, row) {
  const isTold = ({ usual }, word) => (word ? word !== usual : usual === null && row.outcome === "fail");
  return tags.map((tag) => [tag, record.scores.tags?.[tag.name]]).filter(([tag, word]) => isTold(tag, word)).map(([tag, word]) =>
    el("p", {}, metricLink(tag.name, capital(titleOf(tag))), `: ${word ? words(word) : "none of the known ones"}.`));
}

function resultLine(record, row) {
  const className = VERDICTS[row.outcome]?.[2] ?? "none";
  const { reason } = record.scores.metrics[headline.name] ?? {};
  return el("div", { class: `result ${className}` }, el("strong", {}, row.outcome === "scored" ? `${headline.title} ` : null, outcomeNode(row)),
    reason ? el("p", {}, reason) : null, labelLines(record, row),
    el("a", { class: "to-scores", href: episodeHash(row), "data-jump": "scores" }, "Scores and findings ↓"));
}

function stepsNav(row) {
  const at = found.indexOf(row);
  const to = (other, label, key) => el("button", { type: "button", disabled: !other, title: `key ${key}`, onclick: () => { location.hash = episodeHash(other); } }, label);
  return el("div", { class: "steps-nav" }, at < 0 ? null : el("span", {}, `${at + 1} of ${plural(found.length, `listed ${say("episode")}`)}`),
    to(found[at - 1], "Previous", "k"), to(at < 0 ? undefined : found[at + 1], "Next", "j"));
}

function drawEpisode(row, record, wanted) {
  const findings = findingsOf(record);
  const listed = listOf(record);
  const loose = findings.filter((finding) => !finding.step && !finding.message);
  const levels = factors.filter(({ name }) => row.levels[name]).map((factor) => [factor.title.toLowerCase(), levelName(factor, row.levels[factor.name])]);
  const isAgain = rows.some((other) => other.trial > 0 && other.task === row.task && other.agent === row.agent);
  const chips = logs ? [["log", record.trace.header.environment], ...levels, ...(isAgain ? [["dialogue of this id", row.trial + 1]] : [])]
    : [["agent", row.agent], ...levels, ["trial", row.trial]];
  const how = { ids: true, matter: mattering(record, findings) };
  fill("episode",
    el("nav", { class: "back", "aria-label": say("Episodes") }, el("a", { href: filterHash(filter), "data-jump": "episodes" }, say("← all episodes")), stepsNav(row)),
    el("h1", {}, taskName(row.task)),
    el("ul", { class: "chips" }, chips.map(([name, value]) => el("li", {}, el("span", {}, name + " "), el("bdi", {}, value)))),
    el("div", { class: "layout" },
      el("div", { class: "transcript" }, goalNode(wanted), resultLine(record, row), loose.map((finding) => findingNote(finding)),
        pairedCalls(record, wanted, (at) => episodeHash(row, at)), sectionNodes(wanted),
        record.trace.events.map((event) => eventNodes(event, [...findings, ...listed], how)),
        record.agent_errors ? [el("h3", {}, "what the agent's process wrote to standard error"), el("pre", { class: "errors" }, record.agent_errors)] : null),
      scorePanels(record, row, findings, listed)));
  document.title = `probity: ${row.agent} ${row.task} ${words(settingOf(row, " "))}`;
}
