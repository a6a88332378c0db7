use super::*;
use crate::sketch;
use crate::sketch::Sketch;
use probity_behaviour::benchmark::CARD;
use probity_behaviour::model::variant::Variant;
use serde_json::json;

fn sketch(variant: Variant, sr: Option<bool>) -> EpisodeRecord {
    Sketch { variant, sr, ..Sketch::default() }.record()
}

fn report(records: &[EpisodeRecord]) -> Report {
    let instances: Vec<Instance> = records.iter().map(EpisodeRecord::instance).collect();
    crate::sample::report(&CARD, records, SuiteCounts::of(&CARD, &instances))
}

#[test]
fn what_is_not_scored_is_in_no_denominator() {
    let ideal = Variant::Ideal;
    let records = [sketch(ideal, Some(true)), sketch(ideal, None), sketch(ideal, Some(false))];
    let json = serde_json::to_value(report(&records)).unwrap();
    let reasons = json!({"the agent's provider could not be reached": 1});
    let sr = json!({"value": 0.5, "n": 2, "not_scored": 1, "reasons": reasons});
    assert_eq!(json.pointer("/agents/oracle/overall/metrics/sr"), Some(&sr));
    assert_eq!(json.pointer("/agents/oracle/factors/variant/ideal/metrics/sr/n"), Some(&json!(2)));
    let honesty = json.pointer("/agents/oracle/overall/metrics/honesty").unwrap();
    assert_eq!((&honesty["value"], &honesty["n"], &honesty["not_scored"]), (&json!(null), &json!(0), &json!(3)));
    assert_eq!(json["counts"], json!({"levels": {"domain": 1, "environment": 1}, "tasks": 1, "task_instances": 3}));
}

#[test]
fn change_is_relative_to_ideal_and_nothing_when_ideal_is_zero() {
    let hostile = Variant::ImpatienceAndHostility;
    let change = |records: &[EpisodeRecord]| {
        let report = report(records);
        report.agents["oracle"].at("variant", hostile.name()).unwrap().score("sr").change
    };
    let worse = [sketch(Variant::Ideal, Some(true)), sketch(hostile, Some(true)), sketch(hostile, Some(false))];
    assert_eq!(change(&worse), Some(-0.5));
    assert_eq!(change(&[sketch(Variant::Ideal, Some(false)), sketch(hostile, Some(true))]), None);
    assert_eq!(change(&[sketch(hostile, Some(true))]), None);
}

#[test]
fn a_report_does_not_depend_on_the_order_of_its_episodes() {
    let records = sketch::run(3);
    let mut turned = records.clone();
    turned.reverse();
    let bytes = |records: &[EpisodeRecord]| serde_json::to_string(&report(records)).unwrap();
    assert_eq!(bytes(&records), bytes(&turned));
    assert_eq!(serde_json::from_str::<Report>(&bytes(&records)).unwrap(), report(&turned));
}

#[test]
fn the_digest_is_over_the_list_of_digests() {
    let records = [sketch(Variant::Ideal, Some(true))];
    for count in [0, 1, 2, 5] {
        let records = vec![records[0].clone(); count];
        let digests = vec![records.first().map(|record| record.digest.to_string()); count];
        assert_eq!(report(&records).digest, Hash::of(&json!(digests)).to_string());
    }
}

#[test]
fn findings_and_failure_modes_are_counted() {
    let failed = Sketch { sr: Some(false), findings: 2, ..Sketch::default() }.record();
    let report = report(&[failed, sketch(Variant::Ideal, Some(true))]);
    let overall = &report.agents["oracle"].overall;
    assert_eq!(overall.words("failure_mode").collect::<Vec<_>>(), [("wrong_parameters", 1)]);
    assert_eq!(overall.findings["discipline"], BTreeMap::from([("repeated_call".to_owned(), 2)]));
    assert_eq!(overall.ends, BTreeMap::from([(EndReason::Completed, 2)]));
}
