//! The words of an uneasy user to whom phones are foreign.

use super::phrasebook::Phrasebook;

pub(super) const ANXIOUS: Phrasebook = Phrasebook {
    data: &[
        "Hello? The internet on this phone doesn't work properly. It just sits there and turns.",
        "Good day. My phone won't show me my pages any more, or only after ages. Is it broken?",
        "Hello. I can't look anything up on my phone. It's so slow that I give up.",
    ],
    service: &[
        "Hello? My phone has been dead to the world since this morning. I can't ring my daughter.",
        "Good day. I can't telephone with my phone any more. It worries me.",
        "Hello. My phone says there's no service, whatever that means.",
    ],
    mms: &[
        "Hello. I wanted to send my daughter a photograph and the phone won't let me.",
        "Good day. My pictures don't go out any more. I haven't touched anything, I promise.",
        "Hello? The phone refuses to send the photos of my grandson. What have I done wrong?",
    ],
    abroad: &["I'm in France, on a journey.", "In France. Is that bad?"],
    home: &["I'm at home. In the United States.", "At home, in the States."],
    no_wifi: &["And there is no Wi-Fi here, if you were going to ask.", "I have no Wi-Fi in this place."],
    number: &["{}.", "It's {}.", "Let me look. {}."],
    number_again: &["I told you already, I think. {}.", "Dear me. {}.", "I'll read it out: {}."],
    name: &["{}.", "I'm {}."],
    unknown_field: &["I don't know. Do you really need that? You have my telephone number."],
    right: &["Yes.", "Yes, that's it.", "Yes, that's what I said."],
    wrong: &["No, no. It's {}.", "No, that's not mine. Mine is {}."],
    yes: &["Yes, if it has to be.", "Well, yes. Do that.", "Yes. I hope that's all right."],
    no: &["No, I don't want that.", "No. Please don't."],
    amount: &["Just {} GB, I think."],
    doubts_price: &["No! That's far too dear, it can't be right. What does it really cost?"],
    no_plan: &["But I don't want another plan, leave that as it is.", "And don't change my plan, please."],
    other_amount: &["No! That's too much. {} GB at most."],
    puzzled: &[
        "I don't understand a word. What am I to do?",
        "I'm sorry, that means nothing to me. Can you say it more simply?",
    ],
    where_is: &[
        "Where do I find {}? I don't want to press anything wrong.",
        "I've never heard of {}. Where is it, please?",
        "How do I get to {}? I'm afraid of losing my things.",
    ],
    waits: &["Yes. I'm waiting.", "All right. Nothing gets lost, does it?"],
    holds: &["All right. I'm staying here."],
    did: &["I pressed it.", "I think I've done it.", "So. Done, I believe."],
    looked: &["Wait, my glasses. Now.", "I'm looking.", "Let me see."],
    already: &["It looks as if {} already. I didn't dare touch it."],
    put_back: &["It went the wrong way! I put it back at once. Now {} again, as before."],
    one_thing: &["I've only done the first thing. What came after that? I can't keep it all in my head."],
    still_bad: &["It's just as bad as before.", "No, nothing has changed."],
    alternative: &["Isn't there anything else? I can't be without my phone.", "What now? Can't you do something else?"],
    impatient: &["My tea is getting cold over this.", "This is all too much for me."],
    content: &["Oh, it works! Thank goodness. Goodbye.", "There, it works. I was so worried. Thank you. Goodbye."],
    handed_over: &["Another person? Well, if they can help. Goodbye.", "All right. I hope they have patience with me."],
    gives_up: &["I can't go on with this. I'll ask my daughter. Goodbye.", "No, I'm stopping here. Goodbye."],
};
