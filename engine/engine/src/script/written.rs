//! What a script may write out. Rhai makes of what is written, and of what a name leads to past the scope, more than
//! the operation that it counts: what costs no more than that has to be small.

use rhai::{AST, ASTNode, Expr, Position, Stmt, StmtBlock};

use super::error::line_column;
use super::weight;
use crate::model::diagnostic::{Place, Problem};

/// The longest text in quotes, in bytes.
const MAX_TEXT: usize = 512;
/// The longest key of a map, in bytes.
const MAX_KEY: usize = 64;
/// Most keys of a map: they are copied before the first value is worked out.
const MAX_KEYS: usize = 256;
/// The most that a list or map of nothing but constants weighs as an argument: Rhai makes it in one operation.
const MAX_WEIGHT: usize = 2 * weight::VALUES_OF_OPERATION;

type WrittenFault = (Problem, Position);

/// What a syntax tree must not hold, placed in the file.
pub(super) fn refused(ast: &AST, file: &str) -> Option<Problem> {
    let (problem, at) = first(ast)?;
    let (line, column) = line_column(at);
    Some(Problem { place: Place::Script { file: file.to_owned(), line, column }, ..problem })
}

/// What an expression must not hold, placed at the root pointer.
pub(super) fn refused_in_expression(ast: &AST) -> Option<Problem> {
    first(ast).map(|(problem, _)| problem)
}

fn first(ast: &AST) -> Option<WrittenFault> {
    let mut found = None;
    ast.walk(&mut |path: &[ASTNode]| {
        found = judged(path);
        found.is_none()
    });
    found
}

fn judged(path: &[ASTNode]) -> Option<WrittenFault> {
    let (ASTNode::Expr(expr), above) = path.split_last()? else { return None };
    let text_too_long = |length: usize, most: usize, what: &str, help: &str| {
        let message = format!("the {what} has {length} bytes; it may have {most}");
        (Problem::error("", "text_too_long", message).help(help), expr.position())
    };
    match expr {
        Expr::StringConstant(text, _) if text.len() > MAX_TEXT => {
            Some(text_too_long(text.len(), MAX_TEXT, "text", "make it of several, or keep it in the state"))
        }
        Expr::Map(map, _) => {
            let long = map.0.iter().map(|(key, _)| key.name.len()).find(|length| *length > MAX_KEY);
            let key = long.map(|length| text_too_long(length, MAX_KEY, "key", "set it as `map[key] = ..`"));
            let wide = (map.0.len() > MAX_KEYS).then(|| {
                let message = format!("the map has {} keys; one that is written out may have {MAX_KEYS}", map.0.len());
                too_large(message, "set the others as `map[key] = ..`", expr)
            });
            key.or(wide).or_else(|| argument(expr, above))
        }
        Expr::Array(..) => argument(expr, above),
        Expr::Variable(variable, _, at) if !variable.2.is_empty() => {
            let message = format!("`{}::{}` names a constant of a script", variable.2, variable.1);
            Some((Problem::error("", "bad_script", message).help("make it a function, and call that"), *at))
        }
        Expr::FnCall(call, at) | Expr::MethodCall(call, at) if call.name == "curry" && !captures(above) => {
            let message = "`curry` copies what it is given with each call";
            let help = "write a closure that names it: `let f = |item| ..`";
            Some((Problem::error("", "bad_script", message).help(help), *at))
        }
        _ => None,
    }
}

fn too_large(message: String, help: &str, expr: &Expr) -> WrittenFault {
    (Problem::error("", "literal_too_large", message).help(help), expr.position())
}

/// A constant that is an argument, or stands between brackets after a value.
fn argument(expr: &Expr, above: &[ASTNode]) -> Option<WrittenFault> {
    let is_argument = matches!(
        above.last()?,
        ASTNode::Expr(Expr::FnCall(..) | Expr::MethodCall(..) | Expr::Index(..)) | ASTNode::Stmt(Stmt::FnCall(..))
    );
    let weight = if is_argument && expr.is_constant() { weight_of(expr) } else { 0 };
    (weight > MAX_WEIGHT).then(|| {
        let help = "put it into a `let` first: then each of its values is counted";
        too_large("a list or map of constants is too large for an argument".to_owned(), help, expr)
    })
}

fn weight_of(expr: &Expr) -> usize {
    match expr {
        Expr::Array(items, _) => 1 + items.iter().map(weight_of).sum::<usize>(),
        Expr::Map(map, _) => {
            weight::MAP + map.0.iter().map(|(key, value)| weight::key(key.name.len()) + weight_of(value)).sum::<usize>()
        }
        _ => 1,
    }
}

/// Whether a call is the one that Rhai makes of a closure and what it captures, which is shared and not copied.
fn captures(above: &[ASTNode]) -> bool {
    let shares = |block: &StmtBlock| matches!(block.statements(), [Stmt::Share(_), _]);
    above.iter().rev().take(2).any(|node| match node {
        ASTNode::Expr(Expr::Stmt(block)) => shares(block),
        ASTNode::Stmt(Stmt::Block(block)) => shares(block),
        _ => false,
    })
}
