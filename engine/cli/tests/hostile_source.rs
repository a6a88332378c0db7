//! Scripts that are refused before they are compiled: too large, too many names, or a cost that nobody would count.

use crate::hostile::{environment, guarded};

/// What a file says of a body that is not even compiled.
fn codes_of(body: &str) -> Vec<String> {
    environment("write", body).err().unwrap_or_default()
}

#[test]
fn scripts_are_compiled_within_their_size() {
    let arms: String = (0..20_000).map(|i| format!("{i} => {i},\n")).collect();
    assert_eq!(codes_of(&format!("switch cup.sips {{ {arms} _ => 0 }}")), ["script_too_large"]);
    let statements = "let n = 1; n += 1;\n".repeat(100_000);
    assert_eq!(codes_of(&format!("{statements} cup")), ["script_too_large"]);
    let names: String = (0..300).map(|i| format!("a{i}, ")).collect();
    assert_eq!(codes_of(&format!("let f = |{names} z| z; cup")), ["too_many_names"]);
    let text = "x".repeat(5000);
    assert_eq!(codes_of(&format!("loop {{ \"{text}\".index_of(\"y\"); }}")), ["text_too_long"]);
    let key = "k".repeat(65);
    assert_eq!(codes_of(&format!("loop {{ let m = #{{ {key}: 1 }}; }}")), ["text_too_long"]);
    assert_eq!(codes_of("[1].for_each(|| this = [this]); cup"), ["bad_script"]);
    assert_eq!(codes_of("[[1]].reduce(Fn(\"push\")); cup"), ["native_function", "unused_error"]);
}

#[test]
fn what_costs_one_operation_is_written_small() {
    let items = |count: usize| vec!["#{a: 1}"; count].join(", ");
    for body in ["type_of([LIST])", "cup.tags.len().call([LIST])", "#{}[[LIST]]", "[] + [LIST]", "1 in [LIST]"] {
        assert_eq!(codes_of(&body.replace("LIST", &items(900))), ["literal_too_large"], "{body}");
    }
    let keys: String = (0..300).map(|i| format!("k{i}: cup, ")).collect();
    assert_eq!(codes_of(&format!("loop {{ #{{ {keys} }} }}")), ["literal_too_large"]);
    for guard in ["type_of([LIST]) == \"array\"", "args.cup_id in [LIST]"] {
        assert_eq!(guarded(&guard.replace("LIST", &items(90))).err().unwrap(), ["literal_too_large"], "{guard}");
    }
}

#[test]
fn what_is_copied_without_being_named_is_refused() {
    let constant = "let a = []; a.pad(9000, #{ b: 1 }); const B = a; loop { let c = global::B; }";
    assert_eq!(codes_of(constant), ["bad_script"]);
    assert_eq!(guarded("global::B == 1").err().unwrap(), ["bad_script"]);
    for curry in ["let f = |x| x; f.curry(1)", "curry(|x| x, cup)", "let f = Fn(\"deep\"); f = curry(f, 1); f"] {
        assert_eq!(codes_of(curry), ["bad_script"], "{curry}");
    }
    let closure = "let least = cup.sips; let more = db.cups.values().filter(|c| c.sips > least); more.len()";
    environment("read", closure).unwrap();
}
