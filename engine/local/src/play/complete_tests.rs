use super::super::sample::{customer, shop, typed};
use super::*;

fn completed(session: &Session, line: &str) -> Vec<String> {
    let Completion { start, candidates } = complete(session, line);
    candidates.into_iter().map(|candidate| format!("{}{candidate}", &line[..start])).collect()
}

#[test]
fn commands_tools_and_names_are_completed() {
    let mut session = shop();
    assert_eq!(completed(&session, "se"), ["sell_item "]);
    assert_eq!(remark(&session, "sell_item nothing="), Some("  nothing by this name in the state"));
    assert_eq!((remark(&session, "sell_item item_id="), remark(&session, "sell_item ")), (None, None));
    assert_eq!(completed(&session, "fo"), ["fork", "forks"]);
    assert_eq!(completed(&session, "tool f"), ["tool find_items"]);
    assert_eq!(completed(&session, "save "), ["save task", "save trace"]);
    session.fork("other").unwrap();
    assert_eq!(completed(&session, "diff main o"), ["diff main other"]);
    assert_eq!(completed(&session, "weather "), Vec::<String>::new());
    assert_eq!(completed(&session, "call "), ["call find_items", "call sell_item"]);
}

#[test]
fn arguments_are_completed_each_once() {
    let session = shop();
    assert_eq!(completed(&session, "sell_item "), ["sell_item count=", "sell_item item_id="]);
    assert_eq!(completed(&session, "sell_item count=1 "), ["sell_item count=1 item_id="]);
    assert_eq!(completed(&session, "call sell_item c"), ["call sell_item count="]);
    let keys = completed(&session, "sell_item item_id=I00");
    assert_eq!((keys.len(), keys[0].as_str()), (9, "sell_item item_id=I001"));
    assert!(completed(&session, "find_items name=c").contains(&"find_items name=cup".to_owned()));
    assert_eq!(completed(&session, "sell_item nothing=x"), Vec::<String>::new());
}

#[test]
fn paths_are_completed_level_by_level() {
    let session = shop();
    assert_eq!(completed(&session, "state /"), ["state /items"]);
    assert_eq!(completed(&session, "state /items/I01"), ["state /items/I010"]);
    assert_eq!(completed(&session, "state /items/I010/co"), ["state /items/I010/colour"]);
    assert_eq!(completed(&session, "state /nothing/"), Vec::<String>::new());
}

#[test]
fn who_plays_an_agent_is_offered_what_the_agent_has_seen() {
    let mut session = customer();
    assert_eq!(completed(&session, "sell_item item_id=T"), Vec::<String>::new());
    typed(&mut session, "find_items name=teapot");
    assert_eq!(completed(&session, "sell_item item_id=T"), ["sell_item item_id=T1", "sell_item item_id=T2"]);
}
