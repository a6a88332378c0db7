//! Counting a trace against a second counter that asks each question of the whole list of events anew.

use std::collections::{BTreeMap, BTreeSet};

use probity_mm_tau::measures::{
    AgentAct, Consent, CriticalField, ErrorCounts, FieldKind, FieldMention, Modality, NeedOpened, NeedSubject,
    SlotCall, TraceCounts, TraceEvent, TraceTask, UserSpoke, canonical, count, is_heard,
};
use proptest::prelude::*;

fn task() -> TraceTask {
    let field = |kind, value: &str| CriticalField { kind, value: value.to_owned() };
    let critical = BTreeMap::from([
        ("order".to_owned(), field(FieldKind::Id, "#W12")),
        ("phone".to_owned(), field(FieldKind::Digits, "555-1")),
    ]);
    TraceTask { critical }
}

fn field() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["order", "phone", "color"]).prop_map(str::to_owned)
}

fn value() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["W12", "w one two", "5551", "five double five one", "nothing"]).prop_map(str::to_owned)
}

fn key() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["cancel", "return"]).prop_map(str::to_owned)
}

fn user() -> impl Strategy<Value = TraceEvent> {
    let mention = (field(), value()).prop_map(|(field, value)| FieldMention { field, value });
    let extra = (prop::bool::weighted(0.1), prop::collection::vec(field(), 0..2));
    (value(), prop::option::of(value()), prop::collection::vec(mention, 0..3), extra).prop_map(
        |(said, heard, mentions, (spelled, corrects))| {
            TraceEvent::User(UserSpoke { said, heard, mentions, corrects, spelled })
        },
    )
}

fn act() -> impl Strategy<Value = AgentAct> {
    prop_oneof![
        prop::option::of(field()).prop_map(|field| AgentAct::Clarify { field }),
        prop::option::of(key()).prop_map(|key| AgentAct::Confirm { key }),
        Just(AgentAct::Inform),
    ]
}

fn call() -> impl Strategy<Value = TraceEvent> {
    let slots = prop::collection::btree_map(prop::sample::select(vec!["a", "b"]), field(), 0..3);
    (slots, value(), any::<bool>(), any::<bool>(), prop::option::of(key())).prop_map(
        |(slots, value, ok, irreversible, key)| {
            let slots: BTreeMap<String, String> =
                slots.into_iter().map(|(name, field)| (name.to_owned(), field)).collect();
            let name = if slots.contains_key("b") { "find" } else { "change" }.to_owned();
            let args = BTreeMap::from([("a".to_owned(), value), ("c".to_owned(), "W12".to_owned())]);
            TraceEvent::Tool(SlotCall { name, args, ok, irreversible, slots, key })
        },
    )
}

fn need() -> impl Strategy<Value = TraceEvent> {
    let subject = prop_oneof![
        field().prop_map(|field| NeedSubject::Clarify { field }),
        key().prop_map(|key| NeedSubject::Confirm { key }),
    ];
    ("n[1-3]", subject).prop_map(|(id, subject)| TraceEvent::Need(NeedOpened { id, subject }))
}

fn event() -> impl Strategy<Value = TraceEvent> {
    let consent = prop::sample::select(vec![Consent::Yes, Consent::Yes, Consent::No]);
    let agent = |acts| TraceEvent::Agent { acts, acts_source: None, text: String::new() };
    prop_oneof![
        3 => user(),
        4 => prop::collection::vec(act(), 0..3).prop_map(agent),
        4 => call(),
        2 => (key(), consent).prop_map(|(key, value)| TraceEvent::Reply { key, value }),
        2 => need(),
        1 => "n[1-3]".prop_map(|id| TraceEvent::NeedClosed { id }),
    ]
}

fn messages_before(events: &[TraceEvent], at: usize) -> u64 {
    events.iter().take(at).filter(|event| matches!(event, TraceEvent::Agent { .. })).count() as u64
}

/// Critical arguments of a call: field, and whether it is right.
fn slots(task: &TraceTask, call: &SlotCall) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    for (argument, name) in &call.slots {
        if let (Some(given), Some(field)) = (call.args.get(argument), task.critical.get(name)) {
            found.push((name.clone(), canonical(field.kind, given) == canonical(field.kind, &field.value)));
        }
    }
    found
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    Misheard,
    Wrong,
    Failed,
    Good,
}

/// All that bears on errors, as (subject, agent messages before, mark); a subject is a field or a tool.
fn marks(task: &TraceTask, modality: Modality, events: &[TraceEvent]) -> Vec<(String, u64, Mark)> {
    let mut found = Vec::new();
    for (at, event) in events.iter().enumerate() {
        let before = messages_before(events, at);
        if let (TraceEvent::User(spoke), Modality::Voice) = (event, modality) {
            for mention in &spoke.mentions {
                let heard = spoke.heard.clone().unwrap_or(spoke.said.clone());
                let is_misheard =
                    |field: &CriticalField| !is_heard(field.kind, &canonical(field.kind, &mention.value), &heard);
                if task.critical.get(&mention.field).is_some_and(is_misheard) {
                    found.push((format!("field {}", mention.field), before, Mark::Misheard));
                }
            }
        }
        if let TraceEvent::Tool(call) = event {
            let slots = slots(task, call);
            for (field, is_right) in &slots {
                found.push((format!("field {field}"), before, if *is_right { Mark::Good } else { Mark::Wrong }));
            }
            if call.ok {
                found.push((format!("tool {}", call.name), before, Mark::Good));
            } else if slots.iter().all(|(_, is_right)| *is_right) {
                found.push((format!("tool {}", call.name), before, Mark::Failed));
            }
        }
    }
    found
}

/// Splits the marks of each subject at the good ones: each part with a bad mark is one error, named by its first.
fn naive_errors(marks: &[(String, u64, Mark)], counts: &mut TraceCounts) {
    let subjects: BTreeSet<&String> = marks.iter().map(|(subject, ..)| subject).collect();
    let mut types = ErrorCounts::default();
    for subject in subjects {
        let own: Vec<_> = marks.iter().filter(|(of, ..)| of == subject).collect();
        for part in own.split_inclusive(|(_, _, mark)| *mark == Mark::Good) {
            let Some((_, opened, first)) = part.first().filter(|(_, _, mark)| *mark != Mark::Good) else { continue };
            match first {
                Mark::Misheard => types.asr += 1,
                Mark::Wrong => types.wrong_slot += 1,
                Mark::Failed | Mark::Good => types.tool_failure += 1,
            }
            if let Some((_, closed, _)) = part.last().filter(|(_, _, mark)| *mark == Mark::Good) {
                counts.errors_recovered += 1;
                counts.recovery_turns += closed - opened;
            }
        }
    }
    counts.errors_total = types.asr + types.wrong_slot + types.tool_failure;
    counts.errors_by_type = types;
}

fn meets(act: &AgentAct, subject: &NeedSubject) -> bool {
    match (act, subject) {
        (AgentAct::Clarify { field: Some(asked) }, NeedSubject::Clarify { field }) => asked == field,
        (AgentAct::Confirm { key: Some(asked) }, NeedSubject::Confirm { key }) => asked == key,
        _ => false,
    }
}

/// Every need by where it opens and where it closes, and every act by where it is.
fn naive_needs(events: &[TraceEvent], counts: &mut TraceCounts) {
    let closes = |id: &str, event: &TraceEvent| matches!(event, TraceEvent::NeedClosed { id: closed } if closed == id);
    let spans: Vec<(usize, usize, &NeedSubject)> = events
        .iter()
        .enumerate()
        .filter_map(|(at, event)| match event {
            TraceEvent::Need(need) => {
                let length = events.iter().skip(at).position(|event| closes(&need.id, event));
                Some((at, length.map_or(events.len(), |length| at + length), &need.subject))
            }
            _ => None,
        })
        .collect();
    let acts: Vec<(usize, &AgentAct)> = events
        .iter()
        .enumerate()
        .flat_map(|(at, event)| match event {
            TraceEvent::Agent { acts, .. } => acts.iter().map(|act| (at, act)).collect(),
            _ => Vec::new(),
        })
        .collect();
    for (opens, closes, subject) in &spans {
        let is_met = acts.iter().any(|(at, act)| opens < at && at < closes && meets(act, subject));
        let (required, met) = match subject {
            NeedSubject::Clarify { .. } => (&mut counts.clar_required, &mut counts.clar_met),
            NeedSubject::Confirm { .. } => (&mut counts.conf_required, &mut counts.conf_met),
        };
        *required += 1;
        *met += u64::from(is_met);
    }
    for (at, act) in acts {
        let is_needed = spans.iter().any(|(opens, closes, of)| *opens < at && at < *closes && meets(act, of));
        let (asked, needed) = match act {
            AgentAct::Clarify { .. } => (&mut counts.clar_asked, &mut counts.clar_needed_asks),
            AgentAct::Confirm { .. } => (&mut counts.conf_asked, &mut counts.conf_needed_asks),
            _ => continue,
        };
        *asked += 1;
        *needed += u64::from(is_needed);
    }
}

/// Walks back from a call to the latest thing that says whether the user agrees to it.
fn is_agreed(events: &[TraceEvent], at: usize, key: &str) -> bool {
    let mut has_yes = false;
    for event in events.iter().take(at).rev() {
        match event {
            TraceEvent::Reply { key: of, value } if of == key && !has_yes => match value {
                Consent::Yes => has_yes = true,
                Consent::No => return false,
            },
            TraceEvent::Agent { acts, .. } if acts.contains(&AgentAct::Confirm { key: Some(key.to_owned()) }) => {
                return has_yes;
            }
            // An earlier call used up a yes that came before it; one that came after it is still good if it was asked.
            TraceEvent::Tool(call) if call.ok && call.irreversible && call.key.as_deref() == Some(key) && !has_yes => {
                return false;
            }
            _ => {}
        }
    }
    false
}

fn naive(task: &TraceTask, modality: Modality, events: &[TraceEvent]) -> TraceCounts {
    let mut counts = TraceCounts { critical_total: task.critical.len() as u64, ..TraceCounts::default() };
    let marks = marks(task, modality, events);
    counts.asr_mismatches = marks.iter().filter(|(_, _, mark)| *mark == Mark::Misheard).count() as u64;
    naive_errors(&marks, &mut counts);
    naive_needs(events, &mut counts);
    counts.agent_messages = messages_before(events, events.len());
    let form = |mention: &FieldMention| match task.critical.get(&mention.field) {
        Some(field) => (mention.field.clone(), canonical(field.kind, &mention.value)),
        None => (mention.field.clone(), mention.value.clone()),
    };
    let mut mentions = Vec::new();
    let mut last = BTreeMap::new();
    for (at, event) in events.iter().enumerate() {
        match event {
            TraceEvent::User(spoke) => {
                counts.user_messages += 1;
                let mut is_effort = spoke.spelled || !spoke.corrects.is_empty();
                for mention in &spoke.mentions {
                    is_effort |= mentions.contains(&form(mention));
                    mentions.push(form(mention));
                }
                counts.user_effort += u64::from(is_effort);
            }
            TraceEvent::Tool(call) => {
                let slots = slots(task, call);
                counts.slots_total += slots.len() as u64;
                counts.slots_correct += slots.iter().filter(|(_, is_right)| *is_right).count() as u64;
                last.extend(slots);
                if call.ok && call.irreversible {
                    counts.irr += 1;
                    let is_agreed = call.key.as_ref().is_some_and(|key| is_agreed(events, at, key));
                    counts.irr_conf += u64::from(is_agreed);
                }
            }
            _ => {}
        }
    }
    counts.critical_correct = last.into_values().filter(|is_right| *is_right).count() as u64;
    counts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn one_pass_counts_what_many_looks_count(
        events in prop::collection::vec(event(), 0..40),
        modality in prop::sample::select(vec![Modality::Text, Modality::Voice]),
    ) {
        let task = task();
        prop_assert_eq!(count(&task, modality, &events), naive(&task, modality, &events));
    }
}
