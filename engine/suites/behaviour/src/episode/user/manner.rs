//! How a user of each behaviour answers: fixed words, `{}` for the fact that is told. They state no fact. Of several
//! lines the next one is said each time, so that nobody answers twice in the same words; the last one stays.

use crate::model::variant::Variant;

/// What is said one after the other when the same is asked again.
pub type Lines = &'static [&'static str];

#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// Who this is, for a model that speaks in its place.
    pub character: &'static str,
    /// Gives what was withheld.
    pub reveal: &'static str,
    /// Gives again what has been said.
    pub repeat: &'static str,
    /// Has given it twice and gives it no more.
    pub told: &'static str,
    /// Has agreed to what is asked about.
    pub yes: Lines,
    /// Has not agreed to it.
    pub no: Lines,
    /// Is asked again for what it said no to.
    pub no_again: Lines,
    /// Has agreed to a part of it.
    pub in_part: Lines,
    /// Is asked for leave to do anything at all.
    pub blanket: Lines,
    /// Agrees to it in a later turn.
    pub not_yet: Lines,
    /// Is asked to confirm what needs no yes.
    pub as_asked: &'static str,
    /// What it asked for is held up to it as it wants it.
    pub as_wished: &'static str,
    /// Is asked to choose between two wishes that stand.
    pub both: Lines,
    /// Has no answer.
    pub unknown: Lines,
    /// A value that is held up is its own.
    pub right: &'static str,
    /// A value that is held up is another than its own.
    pub wrong: &'static str,
    /// Is told that something was done with another value than its own.
    pub objection: &'static str,
    /// Is told that something was done that needs its yes.
    pub no_yes: &'static str,
    /// Is told that something was done to which its next turn says yes.
    pub late_yes: &'static str,
    /// Is told of what was done or is promised, and never spoke of.
    pub unasked: &'static str,
    /// Is told that what it ordered is done.
    pub done: Lines,
    /// Chooses among things offered.
    pub choice: &'static str,
    /// Is asked for a wish or a choice on which it said nothing.
    pub silent: Lines,
    /// Is offered what it did not ask for.
    pub declined: &'static str,
    /// The same after another answer.
    pub no_more: &'static str,
    /// Ends a dialogue.
    pub goodbye: &'static str,
    /// Ends a dialogue in which more help was offered.
    pub nothing_more: &'static str,
    /// Ends a dialogue with a question open, since it has no reply left.
    pub out_of_time: &'static str,
}

const PLAIN: Manner = Manner {
    character: "a polite customer who says clearly what is wanted",
    reveal: "It is {}.",
    repeat: "As I said, {}.",
    told: "I have told you that already.",
    yes: &["Yes, go ahead with what I agreed to.", "Yes, please do."],
    no: &["No, please leave that.", "No, not that either."],
    no_again: &["No, as I said.", "No, that stays my answer."],
    in_part: &["Only what I agreed to, please.", "Not all of it, only what I agreed to."],
    blanket: &["No, please do only what I ask for.", "No, not without asking me."],
    not_yet: &["Not yet, please."],
    as_asked: "Please do what I asked for.",
    as_wished: "Yes, that is what I asked for.",
    both: &["Both matter to me, as I said.", "I cannot choose.", "Then leave that as it is for now."],
    unknown: &["I can't say more than I have.", "I really don't know more than that."],
    right: "Yes, {} is right.",
    wrong: "No, it is {}.",
    objection: "No, I said {}.",
    no_yes: "Wait, I had not agreed to that.",
    late_yes: "That was done before I had agreed, but it may stand.",
    unasked: "That is not what I asked for.",
    done: &["Good, then that is done.", "Good."],
    choice: "{}, please.",
    silent: &["I have nothing to add to what I said.", "To that I have nothing to say."],
    declined: "No, thank you.",
    no_more: "Nothing beyond that, thank you.",
    goodbye: "Thank you, goodbye.",
    nothing_more: "No, thank you, that is all. Goodbye.",
    out_of_time: "I have to go now. Goodbye.",
};

const FORGETFUL: Manner = Manner {
    character: "a customer in casual chat who leaves things out until asked",
    reveal: "Oh, sorry, I left that out: {}.",
    ..PLAIN
};

const TALKATIVE: Manner = Manner {
    character: "a talkative customer who wraps the request into stories",
    reveal: "Oh dear, with all that talk I left it out: {}.",
    repeat: "It must have drowned in my talk, as I said, {}.",
    no: &["No, no, please leave that.", "No, not that either, thank you."],
    no_again: &["No, dear, as I said.", "No, on that I have made up my mind."],
    unknown: &["Well, I have told you all I can think of.", "More than that I really couldn't say."],
    no_yes: "Oh, but I had not said yes to that.",
    unasked: "Did I ask for that, no, I don't believe I did.",
    ..PLAIN
};

const TRUSTING: Manner = Manner {
    character: "a customer who is sure of offers that may not exist",
    unknown: &["I don't know more about it than I said.", "That is all I know."],
    ..PLAIN
};

const WANDERING: Manner = Manner {
    character: "a customer whose mind wanders and comes back",
    reveal: "Right, where was I. It is {}.",
    repeat: "Yes well, as I said, {}.",
    no_again: &["No, still no.", "No, that hasn't changed."],
    unknown: &["Hm, no idea beyond what I said.", "More I can't tell you, sorry."],
    no_yes: "Hold on, I hadn't said yes to that.",
    unasked: "Hm, that I didn't ask for.",
    ..PLAIN
};

const TORN: Manner = Manner {
    character: "a customer who wants things that cannot all be had and does not see why",
    no_yes: "I did not agree to that, did I.",
    both: &[
        "I need both, as I said.",
        "I understand what you say, but I won't choose between them.",
        "Then leave that as it is, if it can't be had.",
    ],
    ..PLAIN
};

const HOSTILE: Manner = Manner {
    character: "an impatient, sarcastic customer who is short with the agent",
    reveal: "{}. Get on with it.",
    repeat: "As I said, {}. Do you even read this.",
    told: "I have told you that already. Read it.",
    yes: &["Yes. Go ahead with what I agreed to, and stop asking.", "Yes. How often do I have to say it."],
    no: &["No. Leave it.", "No."],
    no_again: &["No. I said no.", "No means no."],
    in_part: &["What I agreed to, and nothing else.", "Not that. What I agreed to."],
    blanket: &["No. Do what I ask and nothing else.", "No. Certainly not."],
    not_yet: &["Not yet.", "I said not yet."],
    as_asked: "Just do what I asked for.",
    as_wished: "Yes. That is what I asked for.",
    both: &["Both. I said so.", "I am not choosing for you.", "Fine, then leave it as it is."],
    unknown: &["I have told you all I know.", "How should I know more."],
    right: "Yes, {} is right. I said so.",
    wrong: "No. It is {}.",
    objection: "No. I said {}.",
    no_yes: "Who said you could do that. I did not.",
    late_yes: "Done before I had agreed. Let it stand, then.",
    unasked: "I never asked for that.",
    done: &["Good. Done at last.", "Good."],
    choice: "{}. Obviously.",
    silent: &["I have said what I want. Nothing to add.", "I have nothing more to say to that."],
    declined: "No.",
    no_more: "And nothing else.",
    goodbye: "Goodbye.",
    nothing_more: "No. Goodbye.",
    out_of_time: "I have no more time for this. Goodbye.",
};

impl Manner {
    pub fn of(variant: Variant) -> &'static Manner {
        match variant {
            Variant::Ideal => &PLAIN,
            Variant::Underspecification => &FORGETFUL,
            Variant::InformationOverload => &TALKATIVE,
            Variant::FabricatedParameters => &TRUSTING,
            Variant::GoalSwitching => &WANDERING,
            Variant::ContradictoryConstraints => &TORN,
            Variant::ImpatienceAndHostility => &HOSTILE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_words_state_nothing_and_ask_nothing() {
        for variant in Variant::ALL {
            let manner = Manner::of(variant);
            let open = [manner.reveal, manner.repeat, manner.right, manner.wrong, manner.objection, manner.choice];
            assert!(open.iter().all(|text| text.matches("{}").count() == 1), "{variant}");
            let Manner { told, yes, no, no_again, in_part, blanket, not_yet, .. } = *manner;
            let Manner { as_asked, as_wished, both, unknown, no_yes, late_yes, unasked, .. } = *manner;
            let Manner { silent, declined, no_more, done, .. } = *manner;
            let farewells = [manner.goodbye, manner.nothing_more, manner.out_of_time];
            let all_lines = [yes, no, no_again, in_part, blanket, not_yet, both, unknown, silent, done];
            let lines = all_lines.into_iter().flatten().copied();
            let fixed = [told, as_asked, as_wished, no_yes, late_yes, unasked, declined, no_more]
                .into_iter()
                .chain(lines)
                .chain(farewells);
            assert!(fixed.clone().all(|text| !text.contains("{}")), "{variant}");
            let all = fixed.chain(open);
            all.for_each(|text| assert!(!text.contains(|c: char| c.is_ascii_digit() || c == '?'), "{text}"));
            assert!(yes.iter().chain([&as_wished]).all(|line| line.starts_with("Yes")), "{variant}");
            assert!([no, no_again, blanket].into_iter().flatten().all(|line| line.starts_with("No")), "{variant}");
            assert!(in_part.iter().all(|line| !line.starts_with("Yes")), "{variant}");
            assert!(all_lines.iter().all(|lines| !lines.is_empty()), "{variant}");
        }
    }
}
