//! Means and variances, and how they are written down.

/// The mean; nothing without values.
#[expect(clippy::cast_precision_loss, reason = "episodes of a run are at most a million")]
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The variance without bias; nothing with fewer than two values.
#[expect(clippy::cast_precision_loss, reason = "episodes of a run are at most a million")]
pub fn variance(values: &[f64]) -> Option<f64> {
    let center = mean(values)?;
    let squares: f64 = values.iter().map(|value| (value - center).powi(2)).sum();
    (values.len() > 1).then(|| squares / (values.len() - 1) as f64)
}

/// Rounded to nine places, so that no platform's last bit shows.
pub fn round(value: f64) -> f64 {
    (value * 1e9).round() / 1e9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_few_values() {
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[1.0, 2.0, 6.0]), Some(3.0));
        assert_eq!(variance(&[1.0]), None);
        assert_eq!(variance(&[1.0, 2.0, 6.0]), Some(7.0));
    }
}
