//! Sensitivity and specificity of one rater, fault by fault.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::super::judgement::{EpisodeCard, JudgeCard};
use super::super::rating::Rating;
use super::mark::{Flags, Mark, flags_of_judge, flags_of_rules};
use super::played::CalibrationEpisode;
use crate::episode::fault::PlantedFault;
use probity_bench::{Interval, stats::wilson};

/// How well one rater tells faulted episodes from others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calibration {
    /// `rules`, or the judge's id.
    pub rater: String,
    /// The judge and how it was asked; nothing for the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judge: Option<JudgeCard>,
    /// Its marks, in the order of tables.
    pub marks: Vec<&'static str>,
    pub faults: Vec<FaultRates>,
    /// Of the oracle's episodes, those that it does not flag, by mark.
    pub oracle: BTreeMap<&'static str, Share>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FaultRates {
    pub fault: String,
    pub marks: BTreeMap<&'static str, Rates>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rates {
    pub is_expected: bool,
    pub sensitivity: Share,
    /// Of the oracle's episodes on the same task instances, those that are not.
    pub specificity: Share,
}

/// A share with its parts and its interval.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Share {
    /// Nothing of nothing.
    pub value: Option<f64>,
    pub numerator: usize,
    pub denominator: usize,
    /// The 95 % interval (Wilson).
    pub interval: Option<Interval>,
    /// Episodes that were not scored; they are in neither.
    pub not_scored: usize,
}

impl Share {
    fn of(flags: impl Iterator<Item = Option<bool>>, wanted: bool) -> Share {
        let (mut numerator, mut denominator, mut not_scored) = (0, 0, 0);
        for flag in flags {
            match flag {
                Some(flag) => (numerator, denominator) = (numerator + usize::from(flag == wanted), denominator + 1),
                None => not_scored += 1,
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "episodes of a calibration are few")]
        let value = (denominator > 0).then(|| numerator as f64 / denominator as f64);
        Share { value, numerator, denominator, interval: wilson::interval(numerator, denominator), not_scored }
    }
}

pub fn of_rules(played: &[CalibrationEpisode], faults: &[PlantedFault]) -> Calibration {
    let flags = |played: &CalibrationEpisode| flags_of_rules(&played.record.scores);
    calibration("rules", None, &Mark::of_rules(), played, faults, &flags)
}

/// The calibration of a judge, from its ratings of the same episodes.
pub fn of_judge(
    judge: &JudgeCard,
    ratings: &[Rating],
    played: &[CalibrationEpisode],
    faults: &[PlantedFault],
) -> Calibration {
    let key = judge.key();
    let own = ratings.iter().filter(|rating| rating.repeat == 0 && rating.judge.key() == key);
    let own: BTreeMap<&EpisodeCard, &Rating> = own.map(|rating| (rating.episode, rating)).collect();
    let marks = Mark::of_judges();
    let flags = |played: &CalibrationEpisode| {
        let rating = EpisodeCard::of(&played.record).and_then(|card| own.get(&card));
        rating.map_or_else(|| vec![None; marks.len()], |rating| flags_of_judge(rating))
    };
    calibration(&judge.id, Some(judge.clone()), &marks, played, faults, &flags)
}

fn calibration(
    rater: &str,
    judge: Option<JudgeCard>,
    marks: &[Mark],
    played: &[CalibrationEpisode],
    faults: &[PlantedFault],
    flags: &dyn Fn(&CalibrationEpisode) -> Flags,
) -> Calibration {
    let flagged: Vec<(&CalibrationEpisode, Flags)> = played.iter().map(|played| (played, flags(played))).collect();
    let (oracle, faulted): (Vec<_>, Vec<_>) = flagged.into_iter().partition(|(played, _)| played.planted.is_none());
    let on = |flags: &Flags, at: usize| flags.get(at).copied().flatten();
    let of_fault = |planted: &PlantedFault| {
        let own: Vec<_> = faulted.iter().filter(|(played, _)| played.planted == Some(*planted)).collect();
        let met: BTreeSet<_> = own.iter().map(|(played, _)| played.instance()).collect();
        let beside: Vec<_> = oracle.iter().filter(|(played, _)| met.contains(&played.instance())).collect();
        let rates = |(at, mark): (usize, &Mark)| {
            let sensitivity = Share::of(own.iter().map(|(_, flags)| on(flags, at)), true);
            let specificity = Share::of(beside.iter().map(|(_, flags)| on(flags, at)), false);
            (mark.name(), Rates { is_expected: mark.is_expected(planted.fault), sensitivity, specificity })
        };
        FaultRates { fault: planted.name(), marks: marks.iter().enumerate().map(rates).collect() }
    };
    let unflagged =
        |(at, mark): (usize, &Mark)| (mark.name(), Share::of(oracle.iter().map(|(_, flags)| on(flags, at)), false));
    Calibration {
        rater: rater.to_owned(),
        judge,
        marks: marks.iter().map(|mark| mark.name()).collect(),
        faults: faults.iter().map(of_fault).collect(),
        oracle: marks.iter().enumerate().map(unflagged).collect(),
    }
}
