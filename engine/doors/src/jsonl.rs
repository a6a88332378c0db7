//! The door of JSON lines: a request a line, an answer a line, in order (docs/SERVE.md).

use std::io::{self, BufRead, BufWriter, Read, Write};

use probity_bench::dialogue::MAX_MESSAGE;
use serde_json::{Value, json};

use super::request::read;
use super::{Hall, Offer, Refusal};

/// The longest line of a client, in bytes: a message and room for its request.
pub const MAX_LINE: usize = 2 * MAX_MESSAGE;

/// Answers a client until it has no more to ask. What it opened is gone then. Answers are handed on when nothing more
/// has come in, so that many requests at once cost one write.
///
/// # Errors
/// It cannot be read or written to any more.
pub fn serve(offer: &Offer<'_>, input: impl Read, output: impl Write) -> io::Result<()> {
    let mut hall = Hall::new(offer);
    let (mut input, mut output) = (io::BufReader::with_capacity(1 << 16, input), BufWriter::new(output));
    let mut line = Vec::new();
    while let Some(is_whole) = next_line(&mut input, &mut line)? {
        let answer = match is_whole {
            true if line.iter().all(u8::is_ascii_whitespace) => None,
            true => Some(answered(&mut hall, &line)),
            false => {
                let message = format!("a line of more than {MAX_LINE} bytes");
                Some(refused(Value::Null, &Refusal::new("bad_request", message, "send smaller messages")))
            }
        };
        if let Some(answer) = answer {
            serde_json::to_writer(&mut output, &answer)?;
            output.write_all(b"\n")?;
        }
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
    }
    output.flush()
}

fn answered(hall: &mut Hall, line: &[u8]) -> Value {
    let (id, request) = read(line);
    match request.and_then(|request| hall.answer(request)) {
        Ok(Value::Object(mut said)) => {
            said.insert("id".to_owned(), id);
            Value::Object(said)
        }
        Ok(said) => json!({"id": id, "answer": said}),
        Err(refusal) => refused(id, &refusal),
    }
}

fn refused(id: Value, refusal: &Refusal) -> Value {
    json!({"id": id, "error": refusal})
}

/// The next line, without its end; whether it is whole, since of one that is too long the rest is passed over. Nothing at
/// the end of the input.
pub(crate) fn next_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<bool>> {
    line.clear();
    let most = u64::try_from(MAX_LINE).unwrap_or(u64::MAX);
    if input.take(most + 1).read_until(b'\n', line)? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') || line.len() <= MAX_LINE {
        return Ok(Some(true));
    }
    line.clear();
    input.skip_until(b'\n')?;
    Ok(Some(false))
}
