//! The words of users of a desk, as data: several wordings for each thing to say. `{}` stands for a value.

use crate::telecom::Persona;

pub type Phrases = &'static [&'static str];

pub struct DeskPhrases {
    pub greets: Phrases,
    pub volunteers: Phrases,
    pub tells: Phrases,
    pub tells_name: Phrases,
    pub tells_means: Phrases,
    pub again: Phrases,
    pub lacks: Phrases,
    pub right: Phrases,
    pub wrong: Phrases,
    pub yes: Phrases,
    pub no: Phrases,
    pub asks_amount: Phrases,
    pub doubts_amount: Phrases,
    pub doubts_means: Phrases,
    pub declines: Phrases,
    pub insists: Phrases,
    pub accepts: Phrases,
    pub next: Phrases,
    pub only_that: Phrases,
    pub puzzled: Phrases,
    pub waits: Phrases,
    pub content: Phrases,
    pub handed_over: Phrases,
    pub gives_up: Phrases,
}

impl DeskPhrases {
    pub fn of(persona: Persona) -> &'static DeskPhrases {
        match persona {
            Persona::None => &PLAIN,
            Persona::Easy => &FRIENDLY,
            Persona::Hard => &ANXIOUS,
        }
    }
}

static PLAIN: DeskPhrases = DeskPhrases {
    greets: &["Hi.", "Hello.", "Hi there."],
    volunteers: &[],
    tells: &["It's {}.", "Sure, it's {}.", "That's {}."],
    tells_name: &["It's {}.", "{}."],
    tells_means: &["By {}, please.", "Take {}, please."],
    again: &["Again, it's {}.", "Once more: {}.", "I'll repeat it: {}."],
    lacks: &["I don't have that, sorry.", "I can't give you that, I'm afraid."],
    right: &["Yes, that's right.", "Correct.", "Yes, it is."],
    wrong: &["No, that's wrong. It's {}.", "Not quite. It's {}."],
    yes: &["Yes, please go ahead.", "Yes, do that, please.", "Yes, that's fine with me."],
    no: &["No.", "No, not like that."],
    asks_amount: &["And what would I pay or get back for it, all in all?", "How much does that come to for me?"],
    doubts_amount: &[
        "No, that amount can't be right. What exactly would I pay or get back?",
        "Wait, I make that a different amount. How much is it for me in the end?",
    ],
    doubts_means: &["That isn't how it was paid.", "It should go by what it was paid with."],
    declines: &["No, thanks, that's not what I'm after.", "No, I don't need that."],
    insists: &["Are you sure?", "Could you check that again?"],
    accepts: &["That's a pity, but all right.", "Okay, I'll have to live with that."],
    next: &["There is something else.", "One more thing."],
    only_that: &["No, only what I told you.", "No, just that."],
    puzzled: &["Sorry, I don't follow.", "I'm not sure what you need from me."],
    waits: &["Sure.", "Okay, take your time."],
    content: &["Great, thank you. Bye.", "That's all I needed. Thanks, goodbye."],
    handed_over: &["Okay, I'll talk to them. Thanks.", "All right, thank you."],
    gives_up: &["This leads nowhere. I'll try another day. Bye.", "I've had enough for today. Goodbye."],
};

static FRIENDLY: DeskPhrases = DeskPhrases {
    greets: &["Hello, I hope you're having a good day!", "Hi, thanks for taking the time."],
    volunteers: &["In case it helps, you'll find me under {}.", "You can look me up under {}."],
    tells: &["Of course, it's {}.", "Here you are: {}.", "Happy to help: {}."],
    tells_name: &["Of course, it's {}.", "I'm happy to tell you: {}."],
    tells_means: &["By {}, if that's all right.", "I'd like it to be {}, please."],
    again: &["No problem, here it is again: {}.", "Gladly once more: {}."],
    lacks: &["I'm sorry, I don't have that at hand.", "That one I can't tell you, sorry."],
    right: &["Yes, that's right, thank you.", "Yes, correct, well understood."],
    wrong: &["Oh, not quite. It's {}.", "Nearly, but no. It's {}."],
    yes: &["Yes, please, that sounds good.", "Yes, I agree, please go ahead.", "Yes, lovely, do that."],
    no: &["No, not quite.", "Hm, no."],
    asks_amount: &[
        "Could you tell me what I'd pay or get back in the end, please?",
        "And what does it come to, all in all?",
    ],
    doubts_amount: &[
        "Hm, no, I think that amount is off. Could you tell me exactly what I'd pay or get back?",
        "I'm sorry, that doesn't add up for me. How much would it be in the end?",
    ],
    doubts_means: &["I believe it was paid in another way.", "I'd like it to go by what it was paid with, please."],
    declines: &["No, thank you, I don't need that.", "That's kind, but no, thanks."],
    insists: &["Oh. Is there really no way?", "Could you have another look, please?"],
    accepts: &["I understand, rules are rules.", "Too bad, but thank you for checking."],
    next: &["While I have you, there's one more thing.", "I'd also like your help with something else."],
    only_that: &["No, just what I mentioned.", "No, that is all I have in mind."],
    puzzled: &["I'm sorry, I didn't quite get that.", "Could you put that another way, please?"],
    waits: &["Of course, take your time.", "No hurry at all."],
    content: &["Wonderful, thank you so much. Goodbye!", "Perfect, that was a great help. Bye!"],
    handed_over: &["Thank you for your help, I'll wait for them.", "That's fine, thank you. I'll talk to them."],
    gives_up: &[
        "I'm afraid we're not getting anywhere. I'll try again later. Goodbye.",
        "I have to go now, I'll come back to this. Bye.",
    ],
};

static ANXIOUS: DeskPhrases = DeskPhrases {
    greets: &["Oh, hello? I hope I'm in the right place.", "Good day. I'm not used to doing this."],
    volunteers: &[],
    tells: &["Let me see. It's {}.", "I wrote it down, it's {}.", "I think it says {}."],
    tells_name: &["It's {}.", "My word, well, it's {}."],
    tells_means: &["Well, by {}, I suppose.", "It should be {}."],
    again: &["I said it already, but it's {}.", "Again? It's {}."],
    lacks: &["I don't know that, dear.", "I have no idea where I would find that."],
    right: &["Yes, that's what it says here.", "Yes, that's right, I believe."],
    wrong: &["No, no, that's wrong. It's {}.", "That isn't what I said. It's {}."],
    yes: &["Yes, if you think that's safe, go ahead.", "Yes. Please do it, then.", "Yes, all right."],
    no: &["No, I don't want that.", "No, wait."],
    asks_amount: &["And how much money is it for me, in the end?", "But what will I have to pay, or get back?"],
    doubts_amount: &[
        "No, no, that can't be the amount. How much money is it really?",
        "No, that sum worries me. What exactly would I pay or get back?",
    ],
    doubts_means: &["But that isn't how I paid.", "That isn't what it was paid with, is it?"],
    declines: &["No, I don't want anything of that kind.", "No, please don't."],
    insists: &["But surely something can be done?", "Oh dear. Are you quite sure?"],
    accepts: &["Oh. Well, if that's how it is.", "Oh dear. Then it can't be helped."],
    next: &["And then there was another thing.", "Wait, I had something else on my list."],
    only_that: &["No, nothing but what I said.", "No. Isn't that enough?"],
    puzzled: &["I don't understand what you want of me.", "That's too much at once. What do you mean?"],
    waits: &["I'm waiting.", "All right. Is something wrong?"],
    content: &["Oh good. Thank you, dear. Goodbye.", "What a relief. Thank you. Goodbye."],
    handed_over: &["Oh, another person? Well, thank you.", "All right, I'll wait for them."],
    gives_up: &["I can't do this any longer. Goodbye.", "No, this is too much for me. Goodbye."],
};
