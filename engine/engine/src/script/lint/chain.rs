//! Chains of Rhai's syntax tree (`db.rooms[id].status`), laid out flat: a root and its links.

use rhai::{ASTFlags, Expr, FnCallExpr, Position};

pub(super) enum Link<'a> {
    /// `.name`
    Property(&'a str, Position),
    /// `.name(..)`
    Method(&'a FnCallExpr, Position),
    /// `[..]`
    Index(&'a Expr),
}

/// The root of a chain and its links in order; no links when the expression is no chain.
pub(super) fn flatten(expression: &Expr) -> (&Expr, Vec<Link<'_>>) {
    let (root, mut rest, mut flags, mut by_index) = match expression {
        Expr::Dot(pair, flags, _) => (&pair.lhs, &pair.rhs, *flags, false),
        Expr::Index(pair, flags, _) => (&pair.lhs, &pair.rhs, *flags, true),
        _ => return (expression, Vec::new()),
    };
    let mut links = Vec::new();
    loop {
        let next = match rest {
            Expr::Dot(pair, next_flags, _) => Some((&pair.lhs, &pair.rhs, *next_flags, false)),
            Expr::Index(pair, next_flags, _) => Some((&pair.lhs, &pair.rhs, *next_flags, true)),
            _ => None,
        };
        match next {
            Some((here, after, next_flags, next_by_index)) if !flags.contains(ASTFlags::BREAK) => {
                links.push(link(here, by_index));
                (rest, flags, by_index) = (after, next_flags, next_by_index);
            }
            Some(_) | None => {
                links.push(link(rest, by_index));
                return (root, links);
            }
        }
    }
}

fn link(expression: &Expr, by_index: bool) -> Link<'_> {
    match expression {
        Expr::Property(property, position) if !by_index => Link::Property(property.2.as_str(), *position),
        Expr::MethodCall(call, position) if !by_index => Link::Method(call, *position),
        _ => Link::Index(expression),
    }
}

pub(super) fn literal(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::StringConstant(text, _) => Some(text.as_str()),
        _ => None,
    }
}
