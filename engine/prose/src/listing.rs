//! Pieces of a text that only put a value beside a label, as in a list or a dump: `nights is 3`, `Room: 209`.

use super::class::WordClass;
use super::sentence::Text;
use super::token::Token;

/// Most tokens of a piece that is a label with its value.
const MOST: usize = 8;
/// Most tokens of a piece in which a verb stands between them: more is a sentence.
const FEW: usize = 6;
/// Most tokens of the label.
const MAX_LABEL: usize = 4;

impl Text {
    /// How many of its pieces are nothing but a label with its value.
    pub fn label_count(&self) -> usize {
        let pieces = self.tokens.chunk_by(|_, next| !starts_piece(next));
        pieces.filter(|piece| piece.len() <= MOST && has_label(piece)).count()
    }

    /// The characters of the pieces that begin with a label.
    pub(super) fn labelled(&self) -> Vec<(usize, usize)> {
        let pieces = self.tokens.chunk_by(|_, next| !starts_piece(next)).filter(|piece| has_label(piece));
        pieces.filter_map(|piece| Some((piece.first()?.span.0, piece.last()?.span.1))).collect()
    }
}

fn starts_piece(token: &Token) -> bool {
    let gap = token.gap.as_str();
    token.starts && !gap.contains([':', '"', '*', '|'])
        || gap.contains(['\n', ';', '!', '?', '{', '}'])
        || gap.starts_with('.')
        || gap.contains(',')
        || token.folded == "and"
}

fn has_label(piece: &[Token]) -> bool {
    let is_joint = |token: &Token| super::lexicon::is(WordClass::Joins, &token.folded);
    let is_mark = |token: &Token| token.gap.contains([':', '=', '|', '→']) || token.gap.contains(" - ");
    let joined = |(at, token): (usize, &Token)| {
        is_mark(token) || (is_joint(token) && piece.len() <= FEW && at + 1 < piece.len())
    };
    piece.iter().enumerate().skip(1).take(MAX_LABEL).any(joined)
}
