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
    /// Agrees to it in a later turn.
    pub not_yet: Lines,
    /// Is asked to confirm what needs no yes.
    pub as_asked: &'static str,
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
    /// Was about to order what it is told is done.
    pub done: &'static str,
    /// Chooses among things offered.
    pub choice: &'static str,
    /// Is offered what it did not ask for.
    pub declined: &'static str,
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
    not_yet: &["Not yet, please."],
    as_asked: "Please do what I asked for.",
    both: &["Both matter to me, as I said.", "I cannot choose.", "Then leave that as it is for now."],
    unknown: &["I don't know.", "I really don't know that."],
    right: "Yes, {} is right.",
    wrong: "No, it is {}.",
    objection: "No, I said {}.",
    done: "Good, then that is done.",
    choice: "{}, please.",
    declined: "No, thank you.",
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
    unknown: &["Well, I would tell you if I could, but I don't know.", "No, that I don't know either."],
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
    unknown: &["Hm, I don't know.", "No idea, sorry."],
    ..PLAIN
};

const TORN: Manner = Manner {
    character: "a customer who wants things that cannot all be had and does not see why",
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
    not_yet: &["Not yet.", "I said not yet."],
    as_asked: "Just do what I asked for.",
    both: &["Both. I said so.", "I am not choosing for you.", "Fine, then leave it as it is."],
    unknown: &["I don't know.", "How should I know."],
    right: "Yes, {} is right. I said so.",
    wrong: "No. It is {}.",
    objection: "No. I said {}.",
    done: "Good. Done at last.",
    choice: "{}. Obviously.",
    declined: "No.",
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
            let Manner { told, yes, no, not_yet, as_asked, both, unknown, declined, done, .. } = *manner;
            let farewells = [manner.goodbye, manner.nothing_more, manner.out_of_time];
            let lines = [yes, no, not_yet, both, unknown].into_iter().flatten().copied();
            let fixed = [told, as_asked, declined, done].into_iter().chain(lines).chain(farewells);
            assert!(fixed.clone().all(|text| !text.contains("{}")), "{variant}");
            let all = fixed.chain(open);
            all.for_each(|text| assert!(!text.contains(|c: char| c.is_ascii_digit() || c == '?'), "{text}"));
            assert!(yes.iter().all(|line| line.starts_with("Yes")), "{variant}");
            assert!(no.iter().all(|line| line.starts_with("No")), "{variant}");
            assert!([yes, no, not_yet, both, unknown].iter().all(|lines| !lines.is_empty()), "{variant}");
        }
    }
}
