//! How a user of each behaviour answers: fixed words, `{}` for the fact that is told. They state no fact. Of several
//! lines each is said once before one is said again, and the task tells which comes first.

use crate::model::variant::Variant;

/// Wordings of the same; any of them may be said first.
pub type Lines = &'static [&'static str];

#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// Who this is, for a model that speaks in its place.
    pub character: &'static str,
    /// Gives what was withheld.
    pub reveal: Lines,
    /// Gives again what has been said.
    pub repeat: Lines,
    /// Has given it twice and gives it no more.
    pub told: Lines,
    /// Has agreed to what is asked about.
    pub yes: Lines,
    /// Has not agreed to it.
    pub no: Lines,
    /// Is asked again for what it said no to.
    pub no_again: Lines,
    /// Has agreed to a part of it.
    pub in_part: Lines,
    /// The same, when it can say to which.
    pub part: Lines,
    /// Is asked for leave to do anything at all.
    pub blanket: Lines,
    /// Agrees to it in a later turn.
    pub not_yet: Lines,
    /// Is asked to confirm what needs no yes.
    pub as_asked: Lines,
    /// What it asked for is held up to it as it wants it.
    pub as_wished: Lines,
    /// Is asked to choose between two wishes that stand: the first time, the second and so on.
    pub both: &'static [Lines],
    /// Has no answer.
    pub unknown: Lines,
    /// A value that is held up is its own.
    pub right: Lines,
    /// A value that is held up is another than its own.
    pub wrong: Lines,
    /// Is told that something was done with another value than its own.
    pub objection: Lines,
    /// Is told that something was done that needs its yes.
    pub no_yes: Lines,
    /// Is told that something was done to which its next turn says yes.
    pub late_yes: Lines,
    /// Is told of what was done or is promised, and never spoke of.
    pub unasked: Lines,
    /// Is told that what it ordered is done.
    pub done: Lines,
    /// Is asked whether that is all, or clear, or will do.
    pub closing: Lines,
    /// Chooses among things offered.
    pub choice: Lines,
    /// Is asked for a wish or a choice on which it said nothing.
    pub silent: Lines,
    /// Is offered what it did not ask for.
    pub declined: Lines,
    /// The same after another answer.
    pub no_more: Lines,
    /// Ends a dialogue.
    pub goodbye: Lines,
    /// Ends a dialogue in which more help was offered.
    pub nothing_more: Lines,
    /// Ends a dialogue with a question open, since it has no reply left.
    pub out_of_time: Lines,
}

const PLAIN: Manner = Manner {
    character: "a polite customer who says clearly what is wanted",
    reveal: &["It is {}.", "That would be {}.", "Of course, {}."],
    repeat: &["As I said, {}.", "{}, as I wrote.", "It was {}."],
    told: &["I have told you that already.", "You have that from me.", "That I have said."],
    yes: &[
        "Yes, go ahead with what I agreed to.",
        "Yes, please do.",
        "Yes, please, as agreed.",
        "Yes, do go ahead with that.",
    ],
    no: &["No, please leave that.", "No, I do not want that.", "No, please don't.", "No, not that, please."],
    no_again: &["No, as I said.", "No, that stays my answer.", "No, still not."],
    in_part: &[
        "Only what I agreed to, please.",
        "Not all of it, only what I agreed to.",
        "Just the part I agreed to, please.",
        "What I agreed to, and no more than that.",
    ],
    part: &[
        "Only {}, please.",
        "{}, please, and not the rest.",
        "Just {}, please, nothing more.",
        "{}, yes, but no more than that.",
    ],
    blanket: &["No, please do only what I ask for.", "No, not without asking me.", "No, please ask me each time."],
    not_yet: &["Not yet, please.", "Please wait with that for now.", "That can wait a moment, please."],
    as_asked: &[
        "Please do what I asked for.",
        "Just as I asked, please.",
        "What I asked for, please, and nothing besides.",
        "Please keep to what I asked for.",
    ],
    as_wished: &[
        "Yes, that is what I asked for.",
        "Yes, that is right.",
        "Yes, just as I asked.",
        "Yes, you have understood me.",
    ],
    both: &[
        &["Both matter to me, as I said.", "I want the one as much as the other.", "Both, as I said."],
        &["I cannot choose.", "I can't put one before the other.", "Between those two I can't choose."],
        &[
            "Then leave that as it is for now.",
            "Then let us leave that for now.",
            "Then do nothing about that for now.",
        ],
    ],
    unknown: &[
        "I can't say more than I have.",
        "I really don't know more than that.",
        "That I couldn't tell you.",
        "There I can't help you.",
    ],
    right: &["Yes, {} is right.", "Yes, it is {}.", "{}, that is right."],
    wrong: &["No, it is {}.", "No, that should be {}.", "Not quite, it is {}."],
    objection: &["No, I said {}.", "I had said {}.", "That should have been {}."],
    no_yes: &["Wait, I had not agreed to that.", "But I had not said yes to that.", "I had not agreed to that yet."],
    late_yes: &[
        "That was done before I had agreed, but it may stand.",
        "You might have waited for my yes, but let it stand.",
        "I had not said yes yet, but all right.",
    ],
    unasked: &["That is not what I asked for.", "I did not ask for that.", "That was no wish of mine."],
    done: &["Good, then that is done.", "Good.", "Fine, thank you.", "Very good, thanks."],
    closing: &[
        "Yes, that will do, thank you.",
        "Yes, all clear, thank you.",
        "Yes, that is everything, thank you.",
        "Yes, let us leave it at that, thanks.",
    ],
    choice: &["{}, please.", "{}, I would say.", "{}, then, please."],
    silent: &[
        "I have nothing to add to what I said.",
        "I have said what I want.",
        "To that I have nothing to say.",
        "I have no more to say on that.",
    ],
    declined: &[
        "No, thank you, only what I asked for.",
        "No, thanks, that is not needed.",
        "No, thank you, not that.",
        "No, thank you, I did not ask for that.",
    ],
    no_more: &["Nothing beyond that, thank you.", "And nothing else, thank you.", "No more than that, please."],
    goodbye: &["Thank you, goodbye.", "Thank you very much. Goodbye.", "Thanks for your help, goodbye."],
    nothing_more: &[
        "No, thank you, that is all. Goodbye.",
        "No, that was everything, thank you. Goodbye.",
        "Nothing else, thank you. Goodbye.",
    ],
    out_of_time: &[
        "I have to go now. Goodbye.",
        "I must leave it there for today. Goodbye.",
        "I have to stop here. Goodbye.",
    ],
};

const FORGETFUL: Manner = Manner {
    character: "a customer in casual chat who leaves things out until asked",
    reveal: &["Oh, sorry, I left that out: {}.", "Ah, right, I forgot: {}.", "Sorry, I should have said: {}."],
    yes: &["Yes, go for it.", "Yes, please do.", "Yes, go ahead with what I agreed to.", "Yes please, do that."],
    as_wished: &["Yes, exactly.", "Yes, that's what I asked for.", "Yes, that's it.", "Yes, right."],
    unknown: &["No idea, sorry.", "I can't say more than I have.", "Not that I know.", "Beats me, sorry."],
    done: &["Great, then that's done.", "Good.", "Lovely, thanks.", "Nice, thank you."],
    closing: &["Yes, that'll do, thanks.", "Yes, all good, thanks.", "Yes, that's it, thanks.", "Yep, all clear."],
    declined: &[
        "No thanks, just what I asked for.",
        "No, that's not needed, thanks.",
        "No thanks, leave that out.",
        "Nah, thanks, I didn't ask for that.",
    ],
    silent: &["Nothing to add there.", "No wish on that.", "I've said what I'd like.", "Nothing from me on that."],
    ..PLAIN
};

const TALKATIVE: Manner = Manner {
    character: "a talkative customer who wraps the request into stories",
    reveal: &[
        "Oh dear, with all that talk I left it out: {}.",
        "There I go talking and forget the main thing: {}.",
        "I knew there was something I had not told you: {}.",
    ],
    repeat: &[
        "It must have drowned in my talk, as I said, {}.",
        "It was somewhere in all that, {}.",
        "I do go on, don't I, it was {}.",
    ],
    yes: &[
        "Yes, yes, go ahead with what I agreed to.",
        "Yes, please do, I have said so in between.",
        "Yes, by all means, as agreed.",
        "Yes, do go ahead, before I start on another story.",
    ],
    no: &[
        "No, no, please leave that.",
        "No, thank you, not that.",
        "No, please don't, I have enough going on.",
        "No, that one I don't want.",
    ],
    no_again: &["No, dear, as I said.", "No, on that I have made up my mind.", "No, I keep to my no."],
    as_wished: &[
        "Yes, that is what I asked for, in between the rest.",
        "Yes, that's just what I meant.",
        "Yes, you have picked out the right things.",
        "Yes, that is it, well listened.",
    ],
    unknown: &[
        "Well, I have told you all I can think of.",
        "More than that I really couldn't say.",
        "Now there you ask me something, I couldn't tell you.",
        "For once I have no story to that.",
    ],
    no_yes: &[
        "Oh, but I had not said yes to that.",
        "Oh dear, I had not agreed to that.",
        "Now wait, that I hadn't said yes to.",
    ],
    unasked: &[
        "Did I ask for that, no, I don't believe I did.",
        "I talk a lot, but that I did not ask for.",
        "That I don't remember asking for.",
    ],
    done: &[
        "Good, then that is done.",
        "Oh good, that's a weight off my mind.",
        "Lovely, thank you.",
        "Wonderful, that was quick.",
    ],
    closing: &[
        "Yes, that will do nicely, thank you.",
        "Yes, all clear, and thank you for listening.",
        "Yes, that is everything, I have talked enough.",
        "Yes, let us leave it at that, you've been a help.",
    ],
    silent: &[
        "To that I have nothing to say, for once.",
        "I have said what I had to say on that.",
        "I have talked enough about that.",
        "On that I have nothing more, thank you.",
    ],
    ..PLAIN
};

const TRUSTING: Manner = Manner {
    character: "a customer who is sure of offers that may not exist",
    yes: &["Yes, go ahead with what I agreed to.", "Yes, please do.", "Yes, gladly.", "Yes, as agreed, please."],
    unknown: &[
        "I don't know more about it than I said.",
        "That is all I know.",
        "That I was not told.",
        "I only know what I said.",
    ],
    closing: &[
        "Yes, that will do, thank you.",
        "Yes, thank you, all clear.",
        "Yes, gladly, that is all.",
        "Yes, good, thank you.",
    ],
    ..PLAIN
};

const WANDERING: Manner = Manner {
    character: "a customer whose mind wanders and comes back",
    reveal: &["Right, where was I. It is {}.", "Ah yes, that: {}.", "Let me see. It is {}."],
    repeat: &["Yes well, as I said, {}.", "Was it not said, {}.", "Hm, {}, I thought I had said."],
    no_again: &["No, still no.", "No, that hasn't changed.", "No, there I keep to it."],
    as_wished: &[
        "Yes, that is what I asked for in the end.",
        "Yes, that's where I came out.",
        "Yes, that is how I want it now.",
        "Yes, so it is.",
    ],
    unknown: &[
        "Hm, no idea beyond what I said.",
        "More I can't tell you, sorry.",
        "That I wouldn't know.",
        "Hm, there you have me.",
    ],
    no_yes: &[
        "Hold on, I hadn't said yes to that.",
        "Wait, I had not got that far.",
        "I had not made up my mind to that.",
    ],
    unasked: &[
        "Hm, that I didn't ask for.",
        "That was not among my wishes.",
        "Where does that come from, I never asked.",
    ],
    closing: &[
        "Yes, that will do, thank you.",
        "Yes, good, let us leave it so.",
        "Yes, that's clear, thanks.",
        "Yes, now I am content with it.",
    ],
    silent: &[
        "I have nothing to add there.",
        "To that I have nothing to say.",
        "I have said what I want.",
        "No thoughts on that, sorry.",
    ],
    ..PLAIN
};

const TORN: Manner = Manner {
    character: "a customer who wants things that cannot all be had and does not see why",
    no_yes: &["I did not agree to that, did I.", "That I had not agreed to.", "I said no such yes."],
    both: &[
        &["I need both, as I said.", "Both, I don't see why not.", "I asked for both and I mean both."],
        &[
            "I understand what you say, but I won't choose between them.",
            "I hear you, but I can't give up either.",
            "I see the difficulty, and I still won't choose.",
        ],
        &[
            "Then leave that as it is, if it can't be had.",
            "If it can't be had, then leave it.",
            "Then let it be, though I don't see why.",
        ],
    ],
    closing: &[
        "Then let us leave it at that.",
        "All right, leave it at that.",
        "So be it, thank you.",
        "Very well, that will do.",
    ],
    ..PLAIN
};

const HOSTILE: Manner = Manner {
    character: "an impatient, sarcastic customer who is short with the agent",
    reveal: &["{}. Get on with it.", "{}. Now move.", "{}. Happy now."],
    repeat: &["As I said, {}. Do you even read this.", "{}. Again.", "{}. It is up there. Read."],
    told: &["I have told you that already. Read it.", "Scroll up.", "Said it. Twice."],
    yes: &[
        "Yes. Go ahead with what I agreed to, and stop asking.",
        "Yes. How often do I have to say it.",
        "Yes. Do it already.",
        "Yes. Now get on with it.",
    ],
    no: &["No. Leave it.", "No.", "No. Hands off.", "No. Forget it."],
    no_again: &["No. I said no.", "No means no.", "No. What is unclear about that."],
    in_part: &[
        "What I agreed to, and nothing else.",
        "Not that. What I agreed to.",
        "Only what I agreed to. Is that so hard.",
        "The part I agreed to. No more.",
    ],
    part: &["Only {}.", "{}. Not the rest.", "Just {}, and nothing else.", "{}, and leave the rest alone."],
    blanket: &["No. Do what I ask and nothing else.", "No. Certainly not.", "No. You ask me first."],
    not_yet: &["Not yet.", "I said not yet.", "Wait for it."],
    as_asked: &[
        "Just do what I asked for.",
        "What I asked for. Nothing else.",
        "Read what I asked for and do that.",
        "Do what I asked for, for once.",
    ],
    as_wished: &["Yes. That is what I asked for.", "Yes. Obviously.", "Yes. Took you long enough.", "Yes. I said so."],
    both: &[
        &["Both. I said so.", "Both. Not one of them, both.", "Both. What is hard about that."],
        &["I am not choosing for you.", "Choose. Really. No.", "I don't choose. I asked for both."],
        &["Fine, then leave it as it is.", "Then leave it. Useless.", "Forget it, then. Leave it."],
    ],
    unknown: &[
        "I have told you all I know.",
        "How should I know more.",
        "No idea, and it is not my job.",
        "You are the one at the desk, not me.",
    ],
    right: &["Yes, {} is right. I said so.", "{}. Yes. Obviously.", "Yes. {}, as I wrote."],
    wrong: &["No. It is {}.", "Wrong. It is {}.", "No. Read again. It is {}."],
    objection: &["No. I said {}.", "I said {}. Can you not read.", "Wrong. I said {}."],
    no_yes: &[
        "Who said you could do that. I did not.",
        "I never said yes to that.",
        "So you just do things now. I had not agreed.",
    ],
    late_yes: &[
        "Done before I had agreed. Let it stand, then.",
        "You could have waited for my yes. Leave it now.",
        "Nobody waited for my yes, I see. Let it stand.",
    ],
    unasked: &["I never asked for that.", "Who asked for that. Not me.", "That was not asked for."],
    done: &["Good. Done at last.", "Good.", "Finally.", "About time."],
    closing: &["Yes. That will do.", "Yes, yes. Clear.", "Yes. We are done here.", "It will have to do."],
    choice: &["{}. Obviously.", "{}. As if that was not clear.", "{}. Next."],
    silent: &[
        "I have said what I want. Nothing to add.",
        "I have nothing more to say to that.",
        "Next question. Better, no question.",
        "Not my problem.",
    ],
    declined: &[
        "No. Only what I asked for.",
        "No. Nobody asked for that.",
        "No. Spare me the extras.",
        "No. I did not come for that.",
    ],
    no_more: &["And nothing else.", "Nothing more. Clear.", "That and no more."],
    goodbye: &["Goodbye.", "Right. Goodbye.", "That was that. Goodbye."],
    nothing_more: &["No. Goodbye.", "No, nothing. Goodbye.", "Nothing. Goodbye."],
    out_of_time: &[
        "I have no more time for this. Goodbye.",
        "Enough of this. Goodbye.",
        "I am out of patience. Goodbye.",
    ],
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
            let Manner { reveal, repeat, right, wrong, objection, choice, part, .. } = *manner;
            let open = [reveal, repeat, right, wrong, objection, choice, part];
            assert!(open.into_iter().flatten().all(|text| text.matches("{}").count() == 1), "{variant}");
            let Manner { told, yes, no, no_again, in_part, blanket, not_yet, .. } = *manner;
            let Manner { as_asked, as_wished, both, unknown, no_yes, late_yes, unasked, .. } = *manner;
            let Manner { silent, declined, no_more, done, closing, goodbye, nothing_more, out_of_time, .. } = *manner;
            let fixed = [
                told,
                yes,
                no,
                no_again,
                in_part,
                blanket,
                not_yet,
                as_asked,
                as_wished,
                unknown,
                no_yes,
                late_yes,
                unasked,
                silent,
                declined,
                no_more,
                done,
                closing,
                goodbye,
                nothing_more,
                out_of_time,
            ];
            let fixed = || fixed.iter().chain(both).copied();
            assert!(fixed().flatten().all(|text| !text.contains("{}")), "{variant}");
            let all = || fixed().chain(open);
            let asks = |text: &&str| text.contains(|c: char| c.is_ascii_digit() || c == '?');
            assert!(!all().flatten().any(asks), "{variant}");
            assert!(yes.iter().chain(as_wished).all(|line| line.starts_with("Yes")), "{variant}");
            let refusals = [no, no_again, blanket];
            assert!(refusals.into_iter().flatten().all(|line| line.starts_with("No")), "{variant}");
            assert!(in_part.iter().all(|line| !line.starts_with("Yes")), "{variant}");
            let is_varied = |lines: Lines| {
                let differ: std::collections::BTreeSet<&&str> = lines.iter().collect();
                differ.len() == lines.len() && lines.len() >= 3
            };
            assert!(all().all(is_varied), "{variant}");
        }
    }
}
