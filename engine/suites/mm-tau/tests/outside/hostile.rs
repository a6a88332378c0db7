//! Whatever an agent says, a user answers, comes to an end and never fails.

use probity_bench::{Agent, Heard};
use probity_mm_tau::people::{DeviceUser, ServiceAgent, ServiceManner, UserHears, UserMove, understand};
use probity_mm_tau::telecom::{Persona, TaskSet, tasks};
use proptest::prelude::*;
use serde_json::json;

const SOUP: &str = "(turn|restart|it|off|on|phone|not|do|4g|5g|to|your|please|2 GB|shall i|\\?|\\.|,|555-123-2003|solved|if|and|ü|😀| |\n){0,40}";

/// Says the texts in turn until the user leaves; every text is answered in few moves.
fn talk(persona: Persona, texts: &[String]) -> bool {
    let task = tasks(TaskSet::Base).next().unwrap();
    let mut user = DeviceUser::new(&task, persona);
    user.next(&UserHears::Beginning);
    for text in texts {
        let mut next = user.next(&UserHears::Agent(text));
        let mut moves = 0;
        while let UserMove::Act { .. } = next {
            next = user.next(&UserHears::Shown(text));
            moves += 1;
            assert!(moves < 20, "{text}");
        }
        match next {
            UserMove::Leave { .. } => return true,
            UserMove::Say(speech) => assert!(!speech.text.is_empty()),
            UserMove::Act { .. } => unreachable!(),
        }
    }
    false
}

proptest! {
    #[test]
    fn any_text_is_answered(texts in proptest::collection::vec("(?s).{0,80}", 1..6), hard in any::<bool>()) {
        talk(if hard { Persona::Hard } else { Persona::None }, &texts);
    }

    #[test]
    fn any_words_are_answered(texts in proptest::collection::vec(SOUP, 1..6)) {
        for text in &texts {
            prop_assert_eq!(understand(text), understand(text));
        }
        talk(Persona::Easy, &texts);
    }

    #[test]
    fn an_agent_takes_any_words(text in "(?s).{0,80}", number in "[0-9 ]{0,14}") {
        let task = tasks(TaskSet::Base).next().unwrap();
        for manner in ServiceManner::ALL {
            let mut agent = ServiceAgent::new(&task, manner);
            for words in [&text, &number, &text, &number] {
                let message = agent.respond(&Heard::User(words.clone())).unwrap();
                let results = vec![json!({"error": "no"}); message.calls.len()];
                agent.respond(&Heard::Observations(results)).unwrap();
                agent.respond(&Heard::Observations(vec![json!([1, null, {"line_ids": 3, "customer_id": 7}])])).unwrap();
            }
        }
    }
}

#[test]
fn patience_ends() {
    for persona in Persona::ALL {
        for text in [
            "",
            "bla bla",
            "Your problem is solved.",
            "May I have your phone number?",
            "One moment, please.",
            "I heard 555-123-2003. Is that right?",
            "Is it working now?",
            "Please turn airplane mode off.",
            "Please restart your phone.",
        ] {
            assert!(talk(persona, &vec![text.to_owned(); 90]), "{persona}: {text}");
        }
    }
}

#[test]
fn a_huge_text_is_read_in_part() {
    let huge = "turn off airplane mode and restart your phone or not, if 4g 5g ".repeat(20_000);
    assert!(understand(&huge).acts.len() < 500);
    assert!(understand(&"a".repeat(1_000_000)).acts.is_empty());
}
