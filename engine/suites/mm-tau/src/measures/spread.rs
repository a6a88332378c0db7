//! How a metric is spread over conversations.

/// Five figures of the defined values of a metric, each in the unit of the metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    pub mean: f64,
    /// The middle value, or the mean of the middle two.
    pub median: f64,
    /// The standard deviation of the values as a whole population.
    pub deviation: f64,
    pub min: f64,
    pub max: f64,
}

impl Spread {
    /// The spread of the values that are defined; nothing where none is.
    pub fn of(values: impl IntoIterator<Item = Option<f64>>) -> Option<Spread> {
        let mut sorted: Vec<f64> = values.into_iter().flatten().collect();
        sorted.sort_by(f64::total_cmp);
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let count = sorted.len() as f64;
        let mean = sorted.iter().sum::<f64>() / count;
        let variance = sorted.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
        let (low, high) = (sorted.get((sorted.len() - 1) / 2)?, sorted.get(sorted.len() / 2)?);
        Some(Spread { mean, median: f64::midpoint(*low, *high), deviation: variance.sqrt(), min, max })
    }
}
