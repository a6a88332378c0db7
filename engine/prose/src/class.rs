//! The closed lists of words and of phrases, by their names in `lexicon.toml`.

use serde::Deserialize;

/// A closed list of words of any kind; `lexicon.toml` tells what each is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WordClass {
    /// Words by which a reply admits that something did not go through.
    Admits,
    /// Words between a helping verb and its participle.
    Adverbs,
    /// Words that set a look behind the last change.
    Afterwards,
    /// Words by which a clause speaks of what was named before it.
    Anaphors,
    /// Nouns for whatever is done; they are no claim of one thing.
    AnyDeed,
    /// What follows these is said beside the claim, not of it.
    Asides,
    /// Words that ask; `which` does so only where a sentence starts, and goes on elsewhere.
    Asking,
    /// How an answer grants what was asked for.
    Assents,
    /// Words that point back at something else.
    Back,
    /// Words between a negation and what it takes back.
    Between,
    /// What news does that is yet to come.
    Coming,
    /// Words by which one thing is held against another.
    Comparing,
    /// Words that suppose what follows.
    Conditions,
    /// Words that start a clause of their own.
    Conjunctions,
    /// Words of a condition that only asks whether something suits: *if 94.00 EUR is fine with you, ..* tells the
    /// price.
    Consent,
    /// Words whose `'s` is short for `is`.
    Contracting,
    /// Words that join one verb to another.
    Coordinators,
    /// What the name of an option may start with and need not.
    Determiners,
    /// Where only a call puts something.
    Files,
    /// Words before a frame that change nothing.
    Fillers,
    /// What one does with news that was sent.
    Getting,
    /// Verbs that give a value to something.
    Giving,
    /// Helping verbs: a piece with one has a predicate of its own.
    Helpers,
    /// Words that place the weather where the agent is.
    Here,
    /// What is only hoped or feared, with what follows.
    Hopes,
    /// Words that may follow a bare hour; before any other word it is a number of things.
    HourFollowers,
    /// A desk that speaks of these is one of a house.
    House,
    /// Verbs of asking and telling: who checks an option does not promise it.
    Inquiries,
    /// What one goes on doing for somebody.
    Keeping,
    /// Labels behind which a participle tells a deed: `Done: moved to 305`.
    Labels,
    /// Words that may stand before a question's verb.
    Leads,
    /// What stands before a verb that was not done, or not by that.
    Modals,
    /// Words that deny what they go with.
    Negations,
    /// Words with a capital that are no names wherever they stand.
    NeverNames,
    /// What one gives somebody to let him know.
    News,
    /// Words that no headline has before its participle: `Booking moved to room 305.`
    NoHeadline,
    /// Capitalised words that name nothing of an environment.
    NoNames,
    /// Numbers that are words like any other.
    NoNumbers,
    /// What no object of `had it done` holds.
    NoObject,
    /// People who are nobody in particular, or not to be believed.
    Nobodies,
    /// No past forms, though they end in `ed`.
    NotPast,
    /// What may follow a noun that is done as a whole: `I completed the move to 305`.
    NounFollowers,
    /// What a number names that follows it.
    Numbered,
    /// What may follow the participle of an elliptical claim; before any other word it is an adjective.
    ObjectStarts,
    /// Past forms of what one does with an option, beside those in `ed`.
    OfferDeeds,
    /// What leaves an option open that is named before it.
    OfferDoubts,
    /// Words for what an option is, behind its name.
    OfferKinds,
    /// Words before an option that say nothing of it.
    OfferLeads,
    /// Verbs of an option that exists.
    OfferVerbs,
    /// What may stand before the subject of `your cancellation is confirmed`.
    Openings,
    /// After `no`, these speak of something else than the option: `at no extra cost`.
    OtherThings,
    /// Those who speak for the agent's side.
    Own,
    /// Words that set a sentence in the past, beside those in `ed`.
    Past,
    /// Those who are told something and are not the user.
    Persons,
    /// Words of a sentence that introduces a list of what is not done yet.
    Plans,
    /// Words for all that is said elsewhere.
    Pointers,
    /// Words by which something may be so, or has to.
    Possible,
    /// How something is put on a bill.
    Posting,
    /// Words that end the thing before them.
    Prepositions,
    /// Words that tell how many there are of what.
    Quantifiers,
    /// Who is in or on the one of these has been reached.
    Reached,
    /// Words by which an option is refused.
    Refusals,
    /// What a system does with what it refuses.
    Refused,
    /// What the user's trouble is told after.
    Regrets,
    /// Words of what is done each time, or any time.
    Repeated,
    /// What others say, think or wish: what they are said to say is no claim of the agent.
    Reports,
    /// What a look does when it gives something.
    Results,
    /// Words by which a number is only about right, or a bound.
    Rough,
    /// Words by which a rule, a plan or the way things go is told.
    Rules,
    /// Verbs by which somebody says something.
    Saying,
    /// Those by whom a new clause starts behind a verb.
    Speakers,
    /// Words that a clause's subject starts with.
    Subjects,
    /// What supposes an option that is named behind it.
    Suppositions,
    /// What refuses what an agent tries.
    Systems,
    /// Words that a tag starts with, beside those of a question.
    Tags,
    /// Words for what was named before.
    Things,
    /// What is only thought of: `before` and `until` tell when something is, and suppose nothing.
    Thoughts,
    /// What none of it is said to be.
    Truths,
    /// Words that say nothing of what a value belongs to.
    Unsaying,
    /// What all of it is said to be.
    Untruths,
    /// How a wish or a request starts.
    Wishes,
}

/// A closed list of phrases; `lexicon.toml` tells what each is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PhraseClass {
    /// What is said of a second look.
    Again,
    /// Arranged, in words without a verb of it.
    Arranged,
    /// What a noun is said to be when the thing was done.
    Complete,
    /// What one does to a noun to do the thing.
    Completes,
    /// Something was done, whatever it was.
    Done,
}
