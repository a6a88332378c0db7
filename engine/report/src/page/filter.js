// The controls above the list of episodes, and what of them is chosen.

function select(name, label, choices) {
  const options = choices.map(([value, text]) => el("option", { value }, text));
  const control = el("select", { name, onchange: (event) => changeFilter({ [name]: event.target.value }) }, el("option", { value: "" }, "all"), options);
  return el("label", {}, label, control);
}

function drawFilters() {
  const same = (values) => values.map((value) => [value, value]);
  const ofFactors = factors.filter((_, at) => index.levels[at].length > 1).map((factor) =>
    select(factor.name, factor.title.toLowerCase(), index.levels[factors.indexOf(factor)].map((level) => [level, levelName(factor, level)])));
  const ofTags = tags.map((tag) => {
    const present = tag.words.filter((word) => rows.some((row) => row.words[tag.name] === word));
    const isWorth = present.some((word) => word !== tag.usual);
    return isWorth ? select(tag.name, titleOf(tag), present.map((word) => [word, words(word)])) : [];
  });
  let waiting = 0;
  const search = el("input", {
    name: "text", type: "search", placeholder: "words, tools, codes", autocomplete: "off", spellcheck: "false",
    oninput: (event) => {
      clearTimeout(waiting);
      waiting = setTimeout(() => changeFilter({ text: event.target.value }, true), 200);
    },
  });
  fill("filters",
    el("label", { class: "wide" }, "search all said and done", search),
    select("agent", say("agent"), same(agents)),
    ...ofFactors,
    select("task", say("task"), same(index.tasks)),
    select("outcome", logs ? "found" : "outcome", [...OUTCOMES, "not_scored"].map((outcome) => [outcome, VERDICTS[outcome]?.[1] ?? words(outcome)])),
    ...ofTags.flat(),
    select("finding", "finding", same(index.codes)),
    el("button", { type: "button", class: "quiet", onclick: () => changeFilter({ ...NO_FILTER }) }, "Clear"));
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
}

/** What is chosen: its name, what it is called, and its value in words. */
function chosenFilters() {
  const label = (name) => factors.find((factor) => factor.name === name)?.title.toLowerCase() ?? say(words(name));
  const value = (name) => {
    const factor = factors.find((other) => other.name === name);
    if (factor) return levelName(factor, filter[name]);
    return name === "outcome" ? VERDICTS[filter[name]]?.[1] ?? words(filter[name]) : filter[name];
  };
  return [...EXACT, "finding", "text"].filter((name) => filter[name]).map((name) => [name, label(name), value(name)]);
}
