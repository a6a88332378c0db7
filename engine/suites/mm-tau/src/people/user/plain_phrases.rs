//! The words of a user of whom nothing is said.

use super::phrasebook::Phrasebook;

pub(super) const PLAIN: Phrasebook = Phrasebook {
    data: &[
        "Hi, the internet on my phone is painfully slow, when it loads at all. Can you look into it?",
        "Hello. My mobile data barely work. Pages take forever or don't open.",
        "Hi there, mobile internet on my phone is pretty much useless today. I need it back to full speed.",
    ],
    service: &[
        "Hi, my phone has had no service since this morning. I can't call anybody.",
        "Hello, there's no network on my phone. It was fine yesterday.",
        "Hi. My phone hasn't found a network all day, and I need it.",
    ],
    mms: &[
        "Hi, I can't send picture messages any more. It stopped this morning.",
        "Hello. My phone refuses to send photos in messages. Can you help?",
        "Hi, whenever I send somebody a picture message, it fails.",
    ],
    abroad: &["I'm travelling in France at the moment.", "By the way, I'm in France right now."],
    home: &["I'm at home, in the United States.", "No, I'm in the States, at home."],
    no_wifi: &[
        "And there's no Wi-Fi here that I could use instead.",
        "I don't have any Wi-Fi around here, by the way.",
    ],
    number: &["It's {}.", "My number is {}.", "Sure, {}."],
    number_again: &["Again, it's {}.", "Once more: {}.", "I'll say it slowly: {}."],
    name: &["My name is {}.", "It's {}."],
    unknown_field: &["I don't have that to hand. Can you find me by my phone number?"],
    right: &["Yes, that's right.", "Correct.", "Yes."],
    wrong: &["No, that's wrong. It's {}.", "That isn't right. It's {}."],
    yes: &["Yes, please go ahead.", "Yes, do that.", "Yes, that's fine."],
    no: &["No, I don't want that.", "No, thanks."],
    amount: &["{} GB, please.", "I'd take {} GB."],
    doubts_price: &["No, that can't be the price. What would it cost exactly?"],
    no_plan: &["But I don't want another plan, please.", "I'd like to keep my plan, though."],
    other_amount: &["No, not that much. {} GB is what I would take."],
    puzzled: &[
        "Sorry, I'm not sure what you want me to do. Can you put it another way?",
        "I don't follow. What should I do?",
    ],
    where_is: &["Where do I find {}?", "How do I get to {}?"],
    waits: &["Okay, I'll wait.", "Sure."],
    holds: &["All right, I'll hold."],
    did: &["Done.", "Okay, did that.", "All right."],
    looked: &["I had a look.", "Okay.", "Let me see."],
    already: &["{} already, so I left it alone.", "I checked: {} already."],
    put_back: &["It went the wrong way when I tapped it, so I put it back: {}, as before."],
    one_thing: &["That's as far as I got."],
    still_bad: &["It's still no good.", "No, that didn't fix it."],
    alternative: &["Is there anything else we can try?", "What else could it be?"],
    impatient: &["I've been at this for a while now.", "This is getting tedious, honestly."],
    content: &["That's what I needed. Thanks, bye.", "Great, it works now. Thank you, goodbye."],
    handed_over: &["Okay, thanks. I'll talk to them.", "All right, thank you."],
    gives_up: &["This isn't getting anywhere. I'll try another time. Bye.", "I've had enough for today. Goodbye."],
};
