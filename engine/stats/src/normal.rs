//! The normal distribution, as far as tests and their power need it.

/// The quantile of a power of 80 %: what is called found is found four times out of five.
pub const POWER: f64 = 0.842;

/// How many standard errors a change must be for a one-sided test at this level to find it four times out of five.
pub fn telling(level: f64) -> f64 {
    upper(level) + POWER
}

/// What a standard normal variable exceeds with this chance, to three places (Abramowitz and Stegun 26.2.23).
pub fn upper(chance: f64) -> f64 {
    if chance > 0.5 {
        return -upper(1.0 - chance);
    }
    let t = (-2.0 * chance.max(f64::MIN_POSITIVE).ln()).sqrt();
    let above = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    t - above / (1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_tables() {
        for (chance, quantile) in [(0.5, 0.0), (0.05, 1.6449), (0.05 / 3.0, 2.1280), (0.001, 3.0902), (0.9, -1.2816)] {
            assert!((upper(chance) - quantile).abs() < 0.001, "{chance}: {}", upper(chance));
        }
        assert!((telling(0.05) - 2.487).abs() < 0.001 && upper(0.0).is_finite());
    }
}
