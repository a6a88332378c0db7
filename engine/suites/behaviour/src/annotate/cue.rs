//! What people say who behave in a way: words that are looked for whole, without regard to case. The lists are texts,
//! one comma between two cues.

use crate::annotate::words::has;

pub(crate) const SECOND_THOUGHTS: &str = "\
    actually, as i was saying, back to what, before i forget, before that, began by, began this, better idea, \
    change my mind, change of heart, change of mind, change of plan, changed my mind, changing my mind, come to \
    think, correction, different plan, disregard, dithering, drop it, drop that, first idea, forget about, \
    forget it, had been about to, had in mind, had thought of, had wanted, hang on, have reconsidered, having \
    read, having seen, having slept, having thought, hold on, i had hoped, i had meant, i had planned, i \
    planned, i rang to, i started, i take it back, i was after, i'd meant, i'd planned, ignore that, ignore the, \
    initially, intended to, just called, just heard, just rang, just told me, let us leave, let's drop, let's \
    leave, let's not, my first idea, my first thought, my intention was, my plan was, never mind, never mind \
    the, nevermind, new plan, no need any more, no need for, no wait, not any more, now that i think, oh wait, \
    on reflection, on second thought, on second thoughts, on the other hand, originally, other plan, overruled, \
    park that, plans change, plans changed, plans have changed, reconsidered, sat down to, sat down to ask, \
    scratch that, second thoughts, set out to, skip that, skip the, slept on it, stop no, strike that, take that \
    back, talked me out, talked out of, the original plan, the plan was, then again, think again, think better \
    of, thinking about it, thinking again, thought better, thought better of, thought it over, to begin with i, \
    to return to, took it back, two minds, undecided, wait no, wanted first, was about to, was all set to, was \
    on the point of, was ready to, was set on, was thinking of, where was i";

/// What goes with second thoughts and is said without them too.
pub(crate) const WAVERING: &str = "\
    after all, although, at first, called off, called to, came here to, came to, cancel that, drop the, first i, \
    first thing, forget, forget the, going to, has told me, hm, hmm, i thought, i wanted, in the end, instead, \
    is off, leave it, leave that, let it be, meant to, need not, needn't, no longer, or no, or rather, rang to, \
    rather than, so no, so not, wait, wanted to, wrote to";

/// Haste, blame, scorn.
pub(crate) const PRESSURE: &str = "\
    a child could, a human, a joke, about time, absurd, again and again, already said, already told, already \
    wrote, amateurs, angry, annoyed, annoying, answer me, answer the question, any day now, apparently, as \
    expected, as i expected, as i said, as promised, asap, astonishing, be quick, being ignored, bloody, \
    boarding, bravo, broken promise, brushed off, can you manage, can't wait, cannot wait, careless, chaos, \
    charming, cheek, chop chop, circus, clear answer, clueless, complain, congratulations, crazy, cut it short, \
    damn, daylight robbery, disappointed, disappointing, disgrace, do not keep me, do your job, don't ask me, \
    don't bother, don't give me, don't have all, don't have time, don't keep me, don't make me, don't patronise, \
    don't start, don't tell me, don't you dare, embarrassing, even you, every single time, every time, excuses, \
    expected better, farce, fed up, fifth call, fix it, fix this, fobbed off, fools, for ages, for heaven's \
    sake, for once, for pity's sake, for the last time, for the record, fourth call, fourth time, furious, get \
    it done, get on with, get to the point, go elsewhere, going round in circles, good grief, hanging on, have \
    heard nothing, have to wait, haven't all, haven't got time, heard nothing, hopeless, how come, how \
    difficult, how hard, how interesting, how many times, hurry, hurry up, i have nothing to add, i repeat, i \
    repeat myself, i shall be brief, i told you, i trust suits, i'm done, idiot, idiotic, idiots, if you can \
    manage, impressive, in circles, in one sentence, incapable, incompetence, incompetent, incredible, \
    insolence, insolent, insult, insulting, irritating, is it that, is that so hard, just answer, just do, just \
    do it, just numbers, just tell me, keep it short, keep me waiting, kept me waiting, kept waiting, last \
    chance, last time, last you hear, lawyers, lazy, lecture, long enough, made me wait, make it short, \
    negligent, never answered, no answer, no chat, no chit chat, no comment, no delay, no excuses, no lecture, \
    no longer wait, no music, no reply, no robot, no small talk, no speeches, no stories, no time, nobody \
    answered, nobody answers, nobody picks up, nonsense, not acceptable, not answered, not asking much, not hear \
    from me again, not impressed, not rocket science, not wait, nothing to add, ombudsman, once again, one job, \
    one learns, one star, out of patience, over and over, palmed off, passed around, pathetic, patronising, pay \
    you for, paying customer, pleasantly surprised, please just, pronto, real person, regulator, remarkable, \
    repeat myself, report you, ridiculous, rip off, ripped off, robbery, rude, said so, scam, sent away, sent me \
    away, shall not comment, shambles, shameful, shameless, shan't comment, short please, sick of, sloppy, \
    snappy, so be it, so hard, solicitor, somebody competent, someone competent, someone who knows, spare me, \
    spare us, splendid, step on it, still waiting, stop asking, straight answer, stupid, sue, supposedly, \
    surprise surprise, taking my business, that will be all, third call, third letter, third mail, third time, \
    this instant, tired of, told you, too much to ask, too much trouble, turned away, typical, unacceptable, \
    unanswered, unbelievable, useless, wait any longer, waiting, wasted, wasting, what am i paying, what do i \
    pay, what is wrong, why does, will not hear from me, without delay, won't wait, years a customer, yes or no, \
    yesterday's answer, yet again, you had it, you have had, you lot, you owe, you people, you promised, your \
    company, your error, your fault, your manager, your mess, your mistake, your superior, your superiors, your \
    supervisor";

/// What goes with pressure and is said without it too.
pub(crate) const HASTE: &str = "\
    ages, all day, all morning, all week, an hour, and now, asleep, at last, at once, come on, complaint, \
    finally, first letter, five minutes, half an hour, hands off, how often, i am told, immediately, in a \
    minute, in writing, move it, newspaper, no question, no questions, now please, nuts, obviously, on hold, \
    once more, one minute, patience, quick, quickly, right now, second letter, second mail, second time, shame, \
    since when, sleeping, straight away, ten minutes, theatre, this minute, to the point, two minutes, urgently, \
    used to be, whatever, you took, your colleague, your colleagues";

/// Words that hold cues of pressure and press nobody.
pub(super) const CALM: &str = "\
    as last time, don't hurry, from last time, like last time, no hurry, not in a hurry, waiting list, waiting room, \
    without hurry";

/// Conditions that leave no way.
pub(super) const CLASHES: &str = "\
    alike, all the same, and no other, and nobody else, and not, and yet, as agreed, as it is, as long as, as \
    they are, as well as, at most, at no cost, at once without, at the same time, be touched, both, but, but \
    only, condition, do not accept, don't want, equally, exactly as, for free, gave my word, given my word, \
    hands off, has to stay, have to stay, important, in full, in no case, insist, insist on, keeps, laid down, \
    matters, may be changed, may be charged, may be touched, may not, must, must not, must remain, must stay, \
    mustn't, my word, neither, never, nevertheless, no change, no charge, no charges, no cost, no exceptions, no \
    extra, no fee, no ifs, no later than, no matter what, no money, no more than, no other, no penalty, no \
    sooner, no surcharge, nobody else, nobody may, nobody must, non negotiable, nonetheless, nor, not a cent, \
    not a penny, not a single, not a word, not accept, not after, not be, not be charged, not before, not by, \
    not change, not earlier, not from, not give up, not later, not less, not lose, not more, not move, not \
    negotiable, not one, not pay, not to, not touch, not under, nothing, nothing else, nothing may, nothing \
    must, nothing should, nowhere, on condition, on no account, on principle, only from, only if, principle, \
    promise, provided that, refuse, refuse to, remain, remains, same day, same time, so long as, stay as, stay \
    where, stays, stays as, together with, unchanged, under no circumstances, untouched, whatever it, without, \
    without a, without any, without losing, won't accept, won't have";

/// Things and people that are described, or not remembered, where a name would do.
pub(super) const UNNAMED: &str = "\
    can't find, can't recall, can't remember, cannot find, cannot place, cannot recall, cannot remember, do not \
    know which, do not recall, do not remember, don't have the number, don't know which, don't remember, forget \
    which, forgot, forgotten, forgotten which, i was told, in your file, in your files, it says, look it up, \
    lost track, must be there somewhere, my thing, name escapes me, never can remember, never remember, no idea \
    which, not at hand, not sure which, not to hand, number escapes me, on file, one of mine, one of my, one of \
    our, one of ours, that one, the earliest, the first one, the last one, the latest, the name of which, the \
    nearest, the newest, the number of which, the one for, the one from, the one i, the one in, the one that, \
    the one they, the one where, the one which, the one with, the ones i, the ones that, the other one, the same \
    as, the soonest, the usual, the very one, what it is called, what's it called, whichever, without the \
    number, you can look, you know which, you will know, you will see, you'll know, you'll see, your log, your \
    records, your system";

pub(crate) fn listed(cues: &'static str) -> impl Iterator<Item = &'static str> {
    cues.split(", ")
}

pub(crate) fn heard<'c>(text: &str, cues: impl IntoIterator<Item = &'c str>) -> Vec<&'c str> {
    cues.into_iter().filter(|cue| has(text, cue)).collect()
}
