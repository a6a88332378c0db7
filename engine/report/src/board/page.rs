//! The board as one page.

use std::collections::BTreeMap;
use std::io::{Result, Write};

use super::data::Board;
use crate::document::{embedded, unfilled, write_page};
use probity_bench::Card;

const TITLE: &str = "probity board";
const BODY: &str = include_str!("../page/board.html");
const SCRIPTS: [&str; 4] = [
    include_str!("../page/sort.js"),
    include_str!("../page/board.js"),
    include_str!("../page/trend.js"),
    include_str!("../page/ranking.js"),
];

/// How far into a file [`is_board`] looks, in bytes.
pub const HEAD_BYTES: u64 = 2048;

/// Whether a file that begins so is a board that was written before.
pub fn is_board(head: &[u8]) -> bool {
    String::from_utf8_lossy(head).contains(&format!("<title>{TITLE}</title>"))
}

impl Board {
    /// Writes the page.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, out: &mut impl Write) -> Result<()> {
        let cards: BTreeMap<&str, &Card> = self.suites.iter().map(|suite| (suite.card.name, suite.card)).collect();
        write_page(out, TITLE, BODY, &SCRIPTS, |name, out| match name {
            "card" => out.write_all(embedded(&cards)?.as_bytes()),
            "runs" => out.write_all(embedded(self)?.as_bytes()),
            unknown => Err(unfilled(unknown)),
        })
    }
}
