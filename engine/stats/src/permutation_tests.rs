use super::*;

fn single(changes: &[(f64, f64)]) -> Vec<Stratum> {
    changes.iter().map(|(base, new)| Stratum { base: vec![*base], new: vec![*new] }).collect()
}

fn sure(strata: &[Stratum]) -> f64 {
    let chance = drop(strata, 0);
    assert_eq!(chance.error.to_bits(), 0.0_f64.to_bits(), "it was counted");
    chance.p
}

fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-12
}

/// Every way to deal the outcomes, one by one.
fn naive(strata: &[Stratum]) -> f64 {
    let fallen: f64 = strata.iter().map(|one| one.new.iter().sum::<f64>() - one.base.iter().sum::<f64>()).sum();
    let mut sums = vec![0.0];
    for one in strata {
        let all: Vec<f64> = one.base.iter().chain(&one.new).copied().collect();
        let deals = (0_u32..1 << all.len()).filter(|deal| deal.count_ones() as usize == one.new.len());
        let change = |deal: u32| -> f64 {
            all.iter().enumerate().map(|(at, value)| if deal >> at & 1 == 1 { *value } else { -value }).sum()
        };
        sums = deals.flat_map(|deal| sums.iter().map(move |sum| sum + change(deal)).collect::<Vec<_>>()).collect();
    }
    sums.iter().filter(|sum| **sum <= fallen + 1e-9).count() as f64 / sums.len() as f64
}

#[test]
fn single_trials_are_flips_of_a_coin() {
    assert!(is_near(sure(&single(&[(1.0, 0.0); 3])), 0.125));
    assert!(is_near(sure(&single(&[(1.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)])), 0.5));
    assert!(is_near(sure(&[]), 1.0));
    assert!(is_near(sure(&single(&[(0.0, 1.0); 4])), 1.0), "no drop is no drop");
}

#[test]
fn three_of_three_against_none_is_one_deal_of_twenty() {
    let stratum = Stratum { base: vec![1.0; 3], new: vec![0.0; 3] };
    assert!(is_near(sure(std::slice::from_ref(&stratum)), 0.05));
    assert!(is_near(sure(&vec![stratum; 14]), 0.05_f64.powi(14)));
}

#[test]
fn the_fewest_outcomes_are_those_whose_chance_is_just_below() {
    let fallen = |count: usize, trials: usize| -> Vec<Stratum> {
        let lost = |at: usize| count.saturating_sub(at * trials).min(trials);
        let new = |at| [vec![0.0; lost(at)], vec![1.0; trials - lost(at)]].concat();
        (0..12).map(|at| Stratum { base: vec![1.0; trials], new: new(at) }).collect()
    };
    for (trials, level) in [(1, 0.05), (1, 0.05 / 3.0), (2, 0.05), (3, 0.05 / 3.0), (3, 0.05), (5, 0.01), (60, 0.01)] {
        let count = fewest(trials, level) as usize;
        assert!(sure(&fallen(count, trials)) < level, "{trials} {level}");
        assert!(sure(&fallen(count - 1, trials)) >= level - 1e-12, "{trials} {level}");
    }
    // Of many trials a few tell, not all of an instance.
    assert!(fewest(60, 0.05 / 3.0) < 7.0 && fewest(0, 0.05) < 1.0 && fewest(10_000, f64::MIN_POSITIVE) < 1100.0);
}

#[test]
fn zeros_and_ones_are_counted_however_many_there_are() {
    // 18 fell and 12 rose: 0.1808 of the 2^30 ways fall as far.
    let mixed: Vec<(f64, f64)> = (0..30).map(|at| if at < 18 { (1.0, 0.0) } else { (0.0, 1.0) }).collect();
    assert!((sure(&single(&mixed)) - 0.180_797_304_2).abs() < 1e-9);
    let trials =
        |lost: usize| Stratum { base: vec![1.0, 1.0, 0.0], new: [vec![0.0; lost], vec![1.0; 3 - lost]].concat() };
    let many: Vec<Stratum> = (0..448).map(|at| trials(at % 4)).collect();
    assert!(sure(&many) < 0.05);
}

#[test]
fn counting_is_what_going_through_all_of_them_gives() {
    let mut coin = Stream::new(1, "strata", "naive");
    let values = [0.0, 1.0 / 3.0, 0.5, 2.0 / 3.0, 1.0, 0.4];
    for _ in 0..60 {
        let mut draw = |n: u64| -> Vec<f64> { (0..n).map(|_| values[coin.below(6) as usize]).collect() };
        let strata: Vec<Stratum> = (0..4).map(|_| Stratum { base: draw(2), new: draw(2) }).collect();
        let all = drop(&strata, 0).p;
        let expected = if all >= 1.0 { 1.0 } else { naive(&strata) };
        assert!((all - expected).abs() < 1e-9, "{strata:?}: {all} {expected}");
    }
    let uneven = [Stratum { base: vec![-0.4, 0.6, -0.4], new: vec![-0.4, -0.4, -1.4, -2.4, -0.4] }];
    assert!(drop(&uneven, 0).error < 1e-12);
}

/// Values on no grid, too many for their sums to be counted.
fn odd(shift: f64) -> Vec<Stratum> {
    let value = |at: u32| 1.0 / (1.0 + f64::from(at * 37 % 101) * 0.013);
    (0..120)
        .map(|at| Stratum { base: vec![value(at), value(at + 7)], new: vec![value(at + 3) - shift, value(at + 11)] })
        .collect()
}

#[test]
fn where_swaps_are_drawn_no_seed_leaves_the_error_of_another() {
    let strata = odd(0.05);
    let first = drop(&strata, 0);
    assert!(first.error > 0.0 && first.p > 0.001 && first.p < 0.5, "{first:?}");
    for seed in 1..30 {
        let (low, high) = drop(&strata, seed).bounds();
        assert!(low <= first.p && first.p <= high, "{seed}");
    }
    assert_eq!(drop(&strata, 3), drop(&strata, 3));
    assert!(drop(&odd(0.9), 0).p <= LEAST * 1.01);
}

#[test]
fn the_variance_is_that_of_all_deals() {
    let stratum = Stratum { base: vec![1.0, 1.0, 0.0], new: vec![0.0, 1.0, 0.5] };
    let all: Vec<f64> = stratum.base.iter().chain(&stratum.new).copied().collect();
    let mut changes = Vec::new();
    for deal in (0_u32..64).filter(|deal| deal.count_ones() == 3) {
        changes.push(all.iter().enumerate().map(|(at, v)| if deal >> at & 1 == 1 { *v } else { -v }).sum::<f64>());
    }
    let expected = changes.iter().map(|change| change * change).sum::<f64>() / changes.len() as f64;
    assert!((stratum.variance() - expected).abs() < 1e-12, "{} {expected}", stratum.variance());
}

#[test]
fn values_of_any_size_add_up() {
    for value in [1e10, 1e300, f64::INFINITY] {
        let fallen = Stratum { base: vec![value; 3], new: vec![-value; 3] };
        assert!(is_near(sure(&vec![fallen; 14]), 0.05_f64.powi(14)), "{value}");
        let many = [Stratum { base: vec![value; 201], new: vec![0.0; 201] }];
        assert!(drop(&many, 0).p < 0.01, "{value}");
        assert!(is_near(drop(&single(&[(0.0, value), (-value, value)]), 0).p, 1.0), "{value}");
    }
}
