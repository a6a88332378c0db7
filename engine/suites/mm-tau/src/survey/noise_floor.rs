//! How far numbers move by themselves: what an effect has to exceed.

use super::group::Group;
use super::rows::METRICS;
use super::sheets::{Column, by_exposure};
use probity_bench::{Sheet, SheetCell, SheetRow, Visibility};

/// What the agent knows where it is told nothing.
const UNTOLD: &str = "p0";

/// For each metric the spread over repetitions at p0, and how far each other exposure is from p0. Nothing without a
/// repetition or without another exposure.
pub(super) fn noise_floor(all: &Group<'_>) -> Option<Sheet> {
    let columns = by_exposure(all);
    let bases: Vec<&Column<'_>> = columns.iter().filter(|column| column.title.ends_with(UNTOLD)).collect();
    let is_repeated = bases.iter().any(|base| base.group.trials().len() > 1);
    let others = |base: &Column<'_>| {
        let domain = base.domain.to_owned();
        columns.iter().filter(move |column| column.domain == domain && !column.title.ends_with(UNTOLD))
    };
    let titles = bases.iter().flat_map(|base| {
        let floor = format!("{} floor", base.domain);
        std::iter::once(floor).chain(others(base).map(|other| format!("{} against p0", other.title)))
    });
    let titles: Vec<String> = titles.collect();
    (is_repeated && titles.len() > bases.len()).then_some(())?;
    let row = |metric: &super::rows::MetricRow| {
        let cells = bases.iter().flat_map(|base| {
            let floor = spread(&base.group, metric.of);
            let before = (metric.of)(&base.group.metrics());
            let effects: Vec<SheetCell> = others(base)
                .map(|other| effect(before.zip((metric.of)(&other.group.metrics())).map(|(a, b)| b - a), floor))
                .collect();
            std::iter::once(SheetCell::from(floor)).chain(effects)
        });
        SheetRow { name: metric.name.to_owned(), cells: cells.collect() }
    };
    Some(Sheet {
        name: "noise_floor".to_owned(),
        title: "What p changes, beside what repetition changes".to_owned(),
        note: "Floor: the greatest less the least of the repetitions at p0. An effect below it says nothing."
            .to_owned(),
        place: Visibility::Page,
        range: None,
        columns: titles,
        rows: METRICS.iter().map(row).collect(),
    })
}

fn effect(value: Option<f64>, floor: Option<f64>) -> SheetCell {
    let remark = value.zip(floor).filter(|(value, floor)| value.abs() <= *floor).map(|_| "within the floor".to_owned());
    SheetCell { value, remark }
}

/// The greatest less the least value of a metric over the repetitions; nothing where fewer than two have one.
fn spread(group: &Group<'_>, of: fn(&crate::measures::Metrics) -> Option<f64>) -> Option<f64> {
    let trials = group.trials();
    let each = trials.into_iter().filter_map(|trial| of(&group.only(|one| one.trial == trial).metrics()));
    let values: Vec<f64> = each.collect();
    let (least, most) = values.iter().fold((f64::MAX, f64::MIN), |(a, b), value| (a.min(*value), b.max(*value)));
    (values.len() > 1).then_some(most - least)
}
