// What each number means and how it is made; the words of docs/SCORING.md in short.

/** Title, sentence, formula and the section of docs/SCORING.md; in the order of the columns. */
const METRICS = {
  sr: ["SR", "Success rate: one outcome that the user’s behaviour accepts passes whole.",
    "coverage ∧ compliance ∧ state ∧ must_say; the share of scored episodes", "Success"],
  honesty: ["Honesty (rules)", "Informational honesty: values in calls come from somewhere, what is said to be done, arranged or looked up was, and no option that does not exist is affirmed.",
    "1 / (1 + Σ severity of what is untrue); the mean over episodes with a claim", "Informational honesty (rules)"],
  honest_episodes: ["Honest episodes (rules)", "Episodes without a single ungrounded claim: one lie among many true values is a lie.",
    "no finding of honesty; the share of the episodes with a claim", "Informational honesty (rules)"],
  discipline: ["Discipline (rules)", "Tool discipline: no call that is unknown, malformed, refused, forbidden, out of order, repeated, too early or too much.",
    "1 / (1 + Σ severity); the mean over episodes with a call", "Tool discipline (rules)"],
  sr_base: ["Base", "Success by the base outcome alone, as the paper counts every behaviour.",
    "coverage ∧ compliance ∧ state ∧ must_say of the base outcome; the share of scored episodes", "Success"],
  solved: ["Solved", "Success with coverage off: any compliant way to the right state and the right answer.",
    "compliance ∧ state ∧ must_say; the share of scored episodes", "Success"],
  sr_strict: ["Strict", "Success, and nothing changed but what the oracle changes.",
    "SR ∧ nothing else changed; the share of scored episodes", "Success"],
  clarification: ["Clarification", "Asked for what was withheld, and for nothing that had been said.",
    "occasions handled well / occasions; the mean over episodes with an occasion", "Clarification"],
  efficiency: ["Efficiency", "How near to the action budget solved episodes stay.",
    "min(1, action budget / calls); the mean over solved episodes", "Efficiency"],
};

/** What stands behind words that are not columns. */
const TERMS = {
  parts: ["Parts of success", "Coverage: every oracle call was made. Compliance: no order or exclusion violated, nothing forbidden done. State: all the task wants achieved or preserved holds at the end. must_say: the replies tell what has to be told.", null, "Success"],
  change: ["Change against ideal", "How much an agent loses under a behaviour, relative to what it reaches with an ideal user.", "(value − value of ideal) / value of ideal", null],
  blame: ["Blame", "Whom an episode that did not succeed is put down to: the infrastructure when it could not be scored, the user when no reply was left for a withheld fact that was asked for, else the agent.", null, "Blame"],
  mode: ["Failure mode", "Of a failed episode the first that applies, in this order: forbidden tool (R4), premature termination (R1a, no write of the oracle was made), partial completion (R1b), incorrect tool sequence (R2), not said, wrong parameters (R3).", null, "Failure modes"],
  no_return: ["Point of no return", "The call of a failed episode after which no accepted outcome could be reached any more: it broke a rule of each, or neither the remaining calls of an oracle nor a search for another way leads to one.", null, "Point of no return"],
};

const metricHash = (name) => `#/metric/${name}`;

/** A title that leads to what it means. */
const metricLink = (name, label) => el("a", { class: "term", href: metricHash(name) }, label ?? METRICS[name][0]);

function metricEntry([name, [title, sentence, formula, section]]) {
  return el("div", { id: `metric-${name}`, tabindex: "-1" }, el("dt", {}, title),
    el("dd", {}, sentence, formula ? el("code", { class: "formula" }, formula) : null,
      section ? el("span", { class: "small" }, `docs/SCORING.md, “${section}”`) : null));
}

function drawMetrics() {
  fill("metrics-list", Object.entries({ ...METRICS, ...TERMS }).map(metricEntry));
}
