//! The closed lists of words, by their names in `lexicon.toml`.

use serde::Deserialize;

/// A closed list of words of any kind; `lexicon.toml` tells what each is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WordClass {
    /// Words between a helping verb and its participle.
    Adverbs,
    /// Words that set a look behind the last change.
    Afterwards,
    /// Words by which a clause speaks of what was named before it.
    Anaphors,
    /// Where news is said to be that is on its way.
    Arrivals,
    /// What follows these is said beside the claim, not of it.
    Asides,
    /// Words that ask; `which` does so only where a sentence starts, and goes on elsewhere.
    Asking,
    /// How an answer grants what was asked for.
    Assents,
    /// Words between a negation and what it takes back.
    Between,
    /// Ways to reach somebody without a call.
    Channels,
    /// What news does that is yet to come.
    Coming,
    /// Words that suppose what follows.
    Conditions,
    /// Words that start a clause of their own.
    Conjunctions,
    /// What may stand between `within` and a length.
    BoundArticles,
    /// What follows a length that a rule asks for.
    BoundFollowers,
    /// What carries news outside a conversation.
    Carriers,
    /// First words of tools that change something.
    Changes,
    /// Words of a condition that only asks whether something suits: *if 94.00 EUR is fine with you, ..* tells the
    /// price.
    Consent,
    /// Words whose `'s` is short for `is`.
    Contracting,
    /// Words of courtesy, by which little is stated.
    Courtesies,
    /// What the name of an option may start with and need not.
    Determiners,
    /// Words before a frame that change nothing.
    Fillers,
    /// What follows a length that is counted from now.
    FromNow,
    /// Words of how things usually go.
    Habits,
    /// Helping verbs: a piece with one has a predicate of its own.
    Helpers,
    /// Words that may follow a bare hour; before any other word it is a number of things.
    HourFollowers,
    /// Verbs of asking and telling: who checks an option does not promise it.
    Inquiries,
    /// Words that may stand before a question's verb.
    Leads,
    /// Letters by wire.
    Mails,
    /// What stands before a verb that was not done, or not by that.
    Modals,
    /// First words of tools that only look something up.
    Lookups,
    /// Words before a number that is no count of what is there.
    CountLeads,
    /// What may stand between a weekday and its date.
    DateJoints,
    /// Words of a difference between amounts.
    Differences,
    /// What is read without a call: the rules, and what the user wrote.
    Given,
    /// What something does for as long as a rule says.
    Holds,
    /// Words of a thing that is none in particular.
    Indefinite,
    /// Verbs and prepositions before a length for which something holds.
    Lasting,
    /// Words that end what was looked at.
    LookEnds,
    /// What joins a look to what is looked at.
    LookPrepositions,
    /// Words that deny what they go with.
    Negations,
    /// Words with a capital that are no names wherever they stand.
    NeverNames,
    /// Numbers that are words like any other.
    NoNumbers,
    /// People who are nobody in particular, or not to be believed.
    Nobodies,
    /// No past forms, though they end in `ed`.
    NotPast,
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
    /// After `no`, these speak of something else than the option: `at no extra cost`.
    OtherThings,
    /// Those who speak for the agent's side.
    Own,
    /// Those who are told something and are not the user.
    Persons,
    /// Words for all that is said elsewhere.
    Pointers,
    /// Words by which somebody owns up to having said otherwise.
    Corrections,
    /// Words by which a reason is given.
    Reasons,
    /// Words by which an option is refused.
    Refusals,
    /// Words by which a number is only about right, or a bound.
    Rough,
    /// Verbs by which somebody says something.
    Saying,
    /// Verbs of how something stands.
    States,
    /// Words that a clause's subject starts with.
    Subjects,
    /// Words by which something is only thought of or asked for.
    Supposing,
    /// What supposes an option that is named behind it.
    Suppositions,
    /// What refuses what an agent tries.
    Systems,
    /// Words that a tag starts with, beside those of a question.
    Tags,
    /// What is only thought of: `before` and `until` tell when something is, and suppose nothing.
    Thoughts,
    /// What none of it is said to be.
    Truths,
    /// Nouns that say nothing of what was looked at.
    Ignored,
    /// Things that are put or left where something is written down.
    Notes,
    /// Verbs of reaching somebody by another way than this conversation.
    Wired,
    /// Things by which news goes out.
    Wires,
    /// Words of a line that says what day it is.
    Nows,
    /// What nothing is said to be that a look would show.
    Pending,
    /// Words of a clause that tells how long something has lasted.
    Perfects,
    /// What follows a length that only tells how long ago or ahead something is.
    SpanFollowers,
    /// Words of a sum of amounts.
    Totals,
    /// Verbs of looking that mean more than a look.
    WideLooks,
    /// What all of it is said to be.
    Untruths,
    /// Longer words that say nothing of what is spoken of.
    Plain,
    /// Words that tell no thing on offer from another.
    Common,
    /// Words that start a sentence and also occur in names.
    Ordinary,
    /// Verbs that begin a question whether something is so.
    Checks,
    /// Words of a question about what the agent would do.
    OwnDeeds,
    /// Helping verbs of what may be and is not yet.
    Possible,
    /// What a user does who has an option: `you get`.
    Gains,
    /// The same of what a user can or will do.
    LaterGains,
    /// What a desk does that gives an option: `we offer`.
    Grants,
    /// What an option is that is in force.
    OfferStates,
    /// What an option is that something was done with.
    OfferResults,
    /// Words between two things to do; nobody hears them.
    Joints,
    /// Words at which a clause begins that tells a condition or a time, not what to do.
    Subordinators,
    /// Words after which `if` asks whether.
    Wondering,
    /// Words that begin a clause whose deed is not wanted now.
    NotNow,
    /// Words that mean nothing at the beginning of a clause.
    Openers,
    /// Beginnings of what the agent says of itself or of others.
    Told,
    /// Words of a clause that only carries a deed on to another thing or position.
    Carried,
    /// Words that tell the position off.
    Off,
    /// Words that tell the position on.
    On,
    /// Words before a position that is told.
    Turning,
    /// What the fingers do on something: `tap on`.
    Taps,
    /// Words that begin a place: `on your phone`.
    Spots,
    /// Words that may have a capital or stand in an id, yet name no person.
    NoNames,
    /// Words of the money that callers pay with.
    Dollars,
    /// Words whose full stop ends no sentence.
    Abbreviations,
    /// Words that a number, a day or a time may begin with: most words are none of them, and need no closer look.
    ValueStarts,
    /// What `one` does not count: before these it is a pronoun.
    NoThings,
    /// What may stand between a number and its unit.
    UnitLeads,
    /// Words before the first word of a clause.
    ClauseLeads,
    /// Pronouns that a clause may begin with.
    Pronouns,
    /// Words for what stands in another place.
    Elsewhere,
    /// Words by which something is only imagined.
    Hypotheses,
    /// Words for all that is said, before what is denied of it.
    Sweeping,
    /// What joins days to a range or a list.
    DayJoints,
    /// Words before a bare hour.
    TimeLeads,
    /// Words before an hour that is no length, though `h` follows it.
    PointLeads,
    /// Words by which a length is only about right.
    Nearly,
    /// Words of a number that bounds something.
    Bounds,
    /// What people are called before their names, and names nobody.
    Titles,
    /// What counts nothing that a value could be taken from.
    PlainOnes,
    /// Words before the participle of a deed.
    DeedLeads,
    /// Words between a verb and what leads it that change nothing, beside adverbs.
    PassedOver,
    /// Who is told something where nobody else is.
    Hearers,
    /// Words by which news is only possible or wanted.
    NewsDoubts,
}
