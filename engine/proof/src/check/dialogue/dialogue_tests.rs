//! Tables of the shop of `cases/base`, with some of its words changed.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};

use super::inference::{Need, Row, Sheet, sheets};
use super::origin::Origin;
use super::scene::Stage;
use probity_behaviour::model::variant::Variant;
use probity_behaviour::suite::{Files, Suite};
use probity_behaviour::task::Task;

const TASK: &str = "tasks/shop/counter/more_teapots.json";

fn task(edits: &[(&str, Value)]) -> Arc<Task> {
    let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/tests/cases/base");
    let read = |name: &str| fs::read_to_string(base.join(name)).unwrap();
    let names = ["environments/shop/counter.json", "scripts/shop/counter.rhai", "scripts/lib/goods.rhai"];
    let mut files: Files = names.iter().map(|name| ((*name).to_owned(), read(name))).collect();
    let mut file: Value = serde_json::from_str(&read(TASK)).unwrap();
    for (pointer, value) in edits {
        *file.pointer_mut(pointer).unwrap() = value.clone();
    }
    files.insert(TASK.to_owned(), file.to_string());
    Arc::clone(&Suite::from_files(files, Vec::new()).tasks.values().next().unwrap().task)
}

fn rows(sheets: &[Sheet], variant: Variant) -> Vec<Row> {
    sheets.iter().find(|sheet| sheet.variant == variant).unwrap().rows.clone()
}

fn row<'a>(rows: &'a [Row], argument: &str) -> &'a Row {
    rows.iter().find(|row| matches!(&row.need, Need::Argument { at, .. } if at == argument)).unwrap()
}

fn known(row: &Row) -> Vec<String> {
    row.known_from.iter().map(Origin::to_string).collect()
}

#[test]
fn each_value_is_known_from_where_it_is_said_or_shown() {
    let task = task(&[]);
    let sheets = sheets(&Stage::new(&task));
    assert_eq!(sheets.len(), 7);
    let ideal = rows(&sheets, Variant::Ideal);
    assert_eq!(known(row(&ideal, "customer")), ["turn 1 (customer)"]);
    assert_eq!(known(row(&ideal, "order_id")), ["call 1 at 0.order_id"]);
    assert_eq!(known(row(&ideal, "quantity")), ["turn 2 (quantity)"]);
    assert_eq!(known(ideal.last().unwrap()), ["turn 2 (quantity)", "call 2 at quantity"]);
    let asked = rows(&sheets, Variant::Underspecification);
    assert_eq!(known(row(&asked, "quantity")), ["turn 2 (quantity, withheld before)"]);
}

#[test]
fn what_follows_from_several_names_them() {
    let task = task(&[("/variants/ideal/turns/1", json!("One more than I have, please."))]);
    let rows = rows(&sheets(&Stage::new(&task)), Variant::Ideal);
    assert_eq!(known(row(&rows, "quantity")), ["follows from turn 2 and call 1"]);
}

#[test]
fn what_only_a_write_repeats_is_told_by_nothing() {
    let task = task(&[("/variants/ideal/turns/1", json!("A few more, please."))]);
    let rows = rows(&sheets(&Stage::new(&task)), Variant::Ideal);
    let quantity = row(&rows, "quantity");
    assert_eq!((known(quantity), quantity.only_later.len()), (Vec::new(), 0));
}
