//! Many questions at once: Holm's correction, which keeps the chance of any false alarm below the level.

/// The adjusted p-values, in the order given.
#[expect(clippy::cast_precision_loss, reason = "comparisons are few")]
pub fn adjust(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    let at = |index: usize| p.get(index).copied().unwrap_or(1.0);
    order.sort_by(|a, b| at(*a).total_cmp(&at(*b)).then(a.cmp(b)));
    let mut adjusted = vec![1.0; p.len()];
    let mut least = 0.0_f64;
    for (rank, index) in order.into_iter().enumerate() {
        least = least.max((at(index) * (p.len() - rank) as f64).min(1.0));
        if let Some(place) = adjusted.get_mut(index) {
            *place = least;
        }
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_is_multiplied_by_all() {
        let close = |left: &[f64], right: &[f64]| left.iter().zip(right).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(close(&adjust(&[0.01, 0.04, 0.03, 0.005]), &[0.03, 0.06, 0.06, 0.02]));
        assert!(close(&adjust(&[0.5, 0.9]), &[1.0, 1.0]));
        assert_eq!(adjust(&[]), Vec::<f64>::new());
    }
}
