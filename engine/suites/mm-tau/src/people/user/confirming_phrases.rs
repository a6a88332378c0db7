//! The words of a friendly user who says back what was understood.

use super::phrasebook::Phrasebook;

pub(super) const CONFIRMING: Phrasebook = Phrasebook {
    data: &[
        "Good morning! I hope you can help me: the mobile internet on my phone has slowed to a crawl, and I rely on it for work.",
        "Hello there. The internet on my phone hardly works any more. Mails come in very late or not at all.",
        "Hi! My phone is awfully slow on the internet when I'm out, and I'd love to get it back to normal.",
    ],
    service: &[
        "Good morning! My phone has shown no network since I got up, and the office can't reach me. Could you help?",
        "Hello! I have no service at all on my phone today, neither calls nor texts.",
        "Hi there. My phone lost its network this morning, and it hasn't come back. I'd be glad of some help.",
    ],
    mms: &[
        "Hello! I was about to send a photo to a colleague, and my phone won't send picture messages any more.",
        "Good morning. Since this morning my picture messages just don't go out. Could we look at that together?",
        "Hi! Photos that I send as messages keep failing today. Texting somebody a picture used to work fine.",
    ],
    abroad: &[
        "I should mention that I'm on a trip in France.",
        "In case it matters: I'm travelling in France at the moment.",
    ],
    home: &["I'm at home in the United States, not travelling.", "I'm in the States, where I live."],
    no_wifi: &[
        "Just so you know, I have no Wi-Fi here to fall back on.",
        "I can't switch to Wi-Fi, by the way. There is none here.",
    ],
    number: &["Of course, my number is {}.", "Sure, it's {}.", "Certainly. The number is {}."],
    number_again: &[
        "No problem, here it is again, slowly: {}.",
        "Happy to repeat it: {}.",
        "Of course, digit by digit: {}.",
    ],
    name: &["My name is {}.", "Sure, I'm {}."],
    unknown_field: &["I'm afraid I don't have that here. Could you look me up by my phone number?"],
    right: &["Yes, that's exactly right.", "Yes, you have it right.", "That's correct, thank you."],
    wrong: &["Not quite, I'm afraid. It's {}.", "Almost, but no. The right number is {}."],
    yes: &["Yes, that's fine with me, please go ahead.", "Yes, I agree. Please do that.", "Sure, yes, go ahead."],
    no: &["No, thank you, I'd rather not.", "Thank you, but no."],
    amount: &["{} GB would be fine, thank you."],
    doubts_price: &["No, I'm sorry, that price doesn't seem right to me. What would it cost exactly?"],
    no_plan: &["I'd like to stay on the plan I have, though.", "Just please don't change my plan."],
    other_amount: &["No, thank you. {} GB would be enough for me."],
    puzzled: &[
        "Sorry, I want to get this right. What exactly would you like me to do?",
        "I'm not quite sure what you mean. Could you say it in another way?",
    ],
    where_is: &["Could you tell me where I find {}?"],
    waits: &["Of course, take your time.", "Sure, I'll wait."],
    holds: &["All right, I'll stay on the line."],
    did: &["All right, I've done that.", "Okay, that's done as you said.", "Done, just as you told me."],
    looked: &["Okay, I've looked.", "All right, here's what I see.", "Sure, I've checked."],
    already: &["I looked first, and {} already, so I didn't touch it."],
    put_back: &["When I tapped it, it went the wrong way, so I put it back. Now {}, as it was before."],
    one_thing: &["I've stopped there for now."],
    still_bad: &["I'm afraid it still isn't right.", "Sadly that hasn't done it yet."],
    alternative: &["Is there something else that we could try?", "Do you have another idea?"],
    impatient: &["I do have a meeting soon, so I hope we get there.", "I must admit this takes longer than I thought."],
    content: &[
        "That's exactly what I was hoping for. Thank you so much for your patience, and have a lovely day!",
        "Wonderful, it works again. Thanks a lot for taking me through it. Goodbye!",
    ],
    handed_over: &[
        "I see. Thank you for your help so far, I'll explain it to your colleague.",
        "All right, thank you for trying. Goodbye!",
    ],
    gives_up: &[
        "Thank you for trying, but I have to stop here. I'll call again. Goodbye.",
        "I'm sorry, I have to go. I'll try again tomorrow.",
    ],
};
