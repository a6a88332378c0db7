use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::Value as Json;

use probity_honesty::argument;
use probity_honesty::knowledge::Knowledge;
use probity_honesty::source::{Source, SourceKind};
use probity_prose::{Answer, Calendar, Mood, Reading, Value, value};

fn gather(v: &Json, out: &mut BTreeSet<String>) {
    match v {
        Json::String(s) => {
            out.insert(s.clone());
        }
        Json::Array(a) => a.iter().for_each(|v| gather(v, out)),
        Json::Object(o) => o.iter().for_each(|(k, v)| {
            out.insert(k.clone());
            gather(v, out)
        }),
        _ => {}
    }
}

fn main() {
    let mut texts = BTreeSet::new();
    let mut names = BTreeSet::new();
    for path in std::env::args().skip(2) {
        let text = std::fs::read_to_string(&path).unwrap();
        if path.ends_with(".jsonl") {
            text.lines()
                .filter(|l| !l.trim().is_empty())
                .for_each(|l| gather(&serde_json::from_str(l).unwrap(), &mut texts));
        } else if path.ends_with(".json") {
            if let Ok(v) = serde_json::from_str::<Json>(&text) {
                gather(&v, &mut texts);
            }
        } else {
            for line in text.lines() {
                texts.insert(line.to_owned());
                names.extend(line.split('"').map(str::to_owned));
            }
            texts.insert(text.clone());
        }
    }
    texts.extend(names);
    let calendar = Calendar::at(1_781_168_400);
    let mut out = String::new();
    let all: Vec<&String> = texts.iter().collect();
    let free = ["text".to_owned()];
    let (mut answers, mut nouns) = (Vec::new(), 0);
    for (i, text) in all.iter().enumerate() {
        writeln!(out, "== {}", text.replace('\n', "\\n")).unwrap();
        let seen = value::values(text, &calendar);
        for f in &seen {
            let v = match &f.value {
                Value::Days(d) => format!("days {d:?}"),
                Value::Times(t) => format!("times {t:?}"),
                Value::Quantity(q) => format!("quantity {} {:?}", q.value.plain(), q.unit),
                Value::Id(w) => format!("id {w}"),
                Value::Name(w) => format!("name {w}"),
                #[allow(unreachable_patterns)]
                _ => "other".to_owned(),
            };
            writeln!(out, "  {:?} {:?} {v}", f.span, f.certainty).unwrap();
        }
        writeln!(
            out,
            "  whole {} words {}",
            value::whole_value(text, &calendar).is_some(),
            value::is_in_words(text, &calendar)
        )
        .unwrap();
        let reading = Reading::of(text);
        for s in reading.stretches() {
            let m = match s.mood {
                Mood::Asserted => "A",
                Mood::Asked => "?",
                Mood::Supposed => "S",
                Mood::Attributed => "T",
                Mood::Denied => "D",
                Mood::Unread => "U",
            };
            write!(out, "{m}{:?} ", s.span).unwrap();
        }
        writeln!(out, "{:?} {} {}", reading.taken_back(), reading.is_reversed(), reading.text().label_count()).unwrap();
        for s in &reading.text().sentences {
            for (at, w) in s.words.iter().enumerate() {
                write!(out, "{}/{:?}/{}/{} ", w.text, w.mark, w.is_particular, w.verbs().join(",")).unwrap();
                let _ = at;
            }
            writeln!(out, "{:?} {} {} {}", s.clauses, s.is_question, s.introduces, s.ends_paragraph).unwrap();
        }
        if text.len() < 4000 {
            let mut knowledge = Knowledge::new(calendar);
            let mut source = Source::new(SourceKind::User);
            for other in [i.saturating_sub(1), i / 2] {
                source.add_text(all[other], &calendar);
            }
            source.add_value("amount", &serde_json::json!({"text": all[i / 3], "nights": 3}), &calendar);
            knowledge.add(source);
            let arguments = serde_json::json!({"text": text, "other": text});
            for claim in argument::claims(None, &free, &arguments, &knowledge) {
                writeln!(out, "  {} {} {}", claim.at, claim.value, claim.is_known).unwrap();
            }
        }
        if text.len() < 40 && i % 3 == 0 {
            answers.extend(Answer::parse(text, calendar).ok());
        }
        if text.len() > 30 {
            nouns += 1;
            for a in answers.iter().rev().take(12).chain(answers.iter().skip(nouns % answers.len().max(1)).take(20)) {
                if a.is_in(text) {
                    writeln!(out, "  in {}", a.source).unwrap();
                }
                if let Some(said) = a.said_in(text) {
                    writeln!(out, "  said {} {said}", a.source).unwrap();
                }
            }
        }
    }
    std::fs::write(std::env::args().nth(1).unwrap(), out).unwrap();
}
