//! A request, read within limits from somebody who may send anything, or nothing.

use std::io::{ErrorKind, Read, Write};
use std::time::{Duration, Instant};

use probity_bench::unescaped;

use super::listener::Guest;

/// Headers of a request at most.
const MAX_HEADERS: usize = 96;
/// Bytes that are read at a time.
const PIECE: usize = 16 << 10;

/// What a client may send, and how long it may take for all of it.
pub struct RequestLimits {
    pub head: usize,
    pub body: usize,
    pub patience: Duration,
}

pub struct Request {
    pub method: String,
    /// The path with its query, as it was sent.
    pub target: String,
    pub headers: Vec<(String, Vec<u8>)>,
    pub body: Vec<u8>,
    /// Whether the client speaks HTTP/1.0, which knows no chunks.
    pub is_old: bool,
}

/// Why there is no request.
#[derive(Debug, PartialEq, Eq)]
pub enum Unheard {
    /// Nobody waits for an answer.
    Gone,
    /// Others came before it was whole.
    GaveWay,
    /// It cannot be taken: what a client is told, with the status.
    Refused(u16, &'static str),
}

impl Unheard {
    /// What a client is told, with the status, where somebody waits for an answer.
    pub fn refusal(&self) -> Option<(u16, &'static str)> {
        match self {
            Unheard::Gone => None,
            Unheard::GaveWay => Some((503, "others came before this request was whole: send it again")),
            Unheard::Refused(status, what) => Some((*status, what)),
        }
    }
}

/// How long a body is.
enum Length {
    Of(usize),
    Chunks,
}

/// A request whose head is there and whose body is not read yet: who may not ask need not be heard to the end.
pub struct Head<'a> {
    request: Request,
    source: Source<'a>,
    length: Result<Length, Unheard>,
    limits: &'a RequestLimits,
}

impl<'a> Head<'a> {
    /// Reads one, up to its body.
    pub fn read(guest: &'a mut Guest, limits: &'a RequestLimits) -> Result<Head<'a>, Unheard> {
        let mut source = Source { end: now() + limits.patience, guest, bytes: Vec::new() };
        loop {
            let parsed = head(&source.bytes, limits)?;
            if parsed.as_ref().map_or(source.bytes.len(), |(_, start, _)| *start) > limits.head {
                return Err(Unheard::Refused(431, "the head of the request is too long"));
            }
            if let Some((request, start, length)) = parsed {
                source.bytes.drain(..start);
                return Ok(Head { request, source, length, limits });
            }
            source.more()?;
        }
    }

    /// The request as far as it is there.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// Reads its body too.
    pub fn whole(self) -> Result<Request, Unheard> {
        let Head { mut request, mut source, length, limits } = self;
        let length = length?;
        let is_waiting = request.header("expect").is_some_and(|expect| expect.eq_ignore_ascii_case("100-continue"));
        if is_waiting && source.bytes.is_empty() {
            (&**source.guest).write_all(b"HTTP/1.1 100 Continue\r\n\r\n").map_err(|_| Unheard::Gone)?;
        }
        request.body = match length {
            Length::Of(length) => {
                while source.bytes.len() < length {
                    source.more()?;
                }
                source.bytes.truncate(length);
                source.bytes
            }
            Length::Chunks => source.chunks(limits)?,
        };
        if source.guest.is_heard() { Ok(request) } else { Err(Unheard::GaveWay) }
    }
}

impl Request {
    /// Reads one whole.
    pub fn read(guest: &mut Guest, limits: &RequestLimits) -> Result<Request, Unheard> {
        Head::read(guest, limits)?.whole()
    }

    /// The value of a header; nothing where it is no text.
    pub fn header(&self, name: &str) -> Option<&str> {
        let (_, value) = self.headers.iter().find(|(own, _)| own.eq_ignore_ascii_case(name))?;
        std::str::from_utf8(value).ok().map(str::trim)
    }

    /// The path without the query.
    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// What the query says, without its escapes.
    pub fn query(&self) -> impl Iterator<Item = (String, String)> {
        let query = self.target.split_once('?').map_or("", |(_, query)| query);
        query
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .map(|(name, value)| (unescaped(name), unescaped(value)))
    }
}

const BAD: Unheard = Unheard::Refused(400, "this is no request of HTTP/1.1");

/// The request without its body, where the body starts and how long it is.
type Parsed = (Request, usize, Result<Length, Unheard>);

/// Nothing while the head is not complete.
fn head(bytes: &[u8], limits: &RequestLimits) -> Result<Option<Parsed>, Unheard> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let httparse::Status::Complete(start) = parsed.parse(bytes).map_err(|_| BAD)? else { return Ok(None) };
    let request = Request {
        method: parsed.method.unwrap_or_default().to_owned(),
        target: parsed.path.unwrap_or_default().to_owned(),
        is_old: parsed.version == Some(0),
        headers: parsed.headers.iter().map(|header| (header.name.to_owned(), header.value.to_vec())).collect(),
        body: Vec::new(),
    };
    let length = length(&request, limits);
    Ok(Some((request, start, length)))
}

fn length(request: &Request, limits: &RequestLimits) -> Result<Length, Unheard> {
    let is_many = |name: &str| request.headers.iter().filter(|(own, _)| own.eq_ignore_ascii_case(name)).count() > 1;
    match (request.header("content-length"), request.header("transfer-encoding")) {
        // Who reads two lengths may take one, and who stands behind them the other.
        _ if is_many("content-length") || is_many("transfer-encoding") => Err(BAD),
        (Some(_), Some(_)) => Err(BAD),
        (None, None) => Ok(Length::Of(0)),
        (None, Some(coding)) if coding.eq_ignore_ascii_case("chunked") => Ok(Length::Chunks),
        (None, Some(_)) => Err(Unheard::Refused(501, "a body is sent whole or in chunks")),
        (Some(length), None) if length.bytes().all(|byte| byte.is_ascii_digit()) => {
            let length = length.parse::<usize>().ok().filter(|length| *length <= limits.body);
            length.map(Length::Of).ok_or(TOO_LONG)
        }
        (Some(_), None) => Err(BAD),
    }
}

const TOO_LONG: Unheard = Unheard::Refused(413, "the body of the request is too long");

/// What comes of a client.
struct Source<'a> {
    guest: &'a mut Guest,
    bytes: Vec<u8>,
    /// When it must have sent everything.
    end: Instant,
}

impl Source<'_> {
    fn more(&mut self) -> Result<(), Unheard> {
        const LATE: Unheard = Unheard::Refused(408, "the request did not come in time");
        let left = self.end.saturating_duration_since(now());
        if left.is_zero() {
            return Err(LATE);
        }
        self.guest.set_read_timeout(Some(left)).map_err(|_| Unheard::Gone)?;
        let mut piece = [0; PIECE];
        match (&**self.guest).read(&mut piece) {
            // Who goes on speaking is not heard for that.
            _ if self.guest.gave_way() => Err(Unheard::GaveWay),
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(()),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => Err(LATE),
            Ok(0) | Err(_) => Err(Unheard::Gone),
            Ok(read) => {
                self.bytes.extend(piece.get(..read).unwrap_or_default());
                Ok(())
            }
        }
    }

    /// The body that comes in chunks.
    fn chunks(&mut self, limits: &RequestLimits) -> Result<Vec<u8>, Unheard> {
        const BAD: Unheard = Unheard::Refused(400, "the chunks of the body are broken");
        let (mut body, mut at) = (Vec::new(), 0);
        loop {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let (start, size) = match httparse::parse_chunk_size(rest).map_err(|_| BAD)? {
                httparse::Status::Complete((start, size)) => (at + start, usize::try_from(size).map_err(|_| TOO_LONG)?),
                httparse::Status::Partial if rest.len() > limits.head => return Err(BAD),
                httparse::Status::Partial => {
                    self.bytes.drain(..std::mem::take(&mut at));
                    self.more()?;
                    continue;
                }
            };
            if size > limits.body.saturating_sub(body.len()) {
                return Err(TOO_LONG);
            }
            let end = start + size;
            while size > 0 && self.bytes.len() < end + 2 {
                self.more()?;
            }
            if size == 0 {
                return self.trailer(start, limits).map(|()| body);
            }
            body.extend(self.bytes.get(start..end).unwrap_or_default());
            if self.bytes.get(end..end + 2) != Some(b"\r\n") {
                return Err(BAD);
            }
            at = end + 2;
        }
    }

    /// Reads what stands behind the last chunk; nobody needs it.
    fn trailer(&mut self, start: usize, limits: &RequestLimits) -> Result<(), Unheard> {
        loop {
            let rest = self.bytes.get(start..).unwrap_or_default();
            let is_over = rest.starts_with(b"\r\n") || rest.windows(4).any(|window| window == b"\r\n\r\n");
            match rest.len() > limits.head {
                _ if is_over => return Ok(()),
                true => return Err(Unheard::Refused(431, "the trailer of the request is too long")),
                false => self.more()?,
            }
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a client is waited for; no result depends on it")]
pub fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{TcpListener, TcpStream};

    const LIMITS: RequestLimits = RequestLimits { head: 1 << 10, body: 100, patience: Duration::from_millis(300) };

    /// What is read of a client that sends these pieces, and then waits or hangs up.
    fn read(pieces: &[&[u8]], stays: bool) -> Result<Request, Unheard> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let mut client = TcpStream::connect(address).unwrap();
        let mut server = Guest::from(listener.accept().unwrap().0);
        std::thread::scope(|scope| {
            let client = scope.spawn(move || {
                for piece in pieces {
                    let _ = client.write_all(piece);
                    std::thread::sleep(Duration::from_millis(5));
                }
                if stays { Some(client) } else { None }
            });
            let read = Request::read(&mut server, &LIMITS);
            drop(client.join().unwrap());
            read
        })
    }

    #[test]
    fn bodies_come_whole_or_in_chunks() {
        let whole: [&[u8]; 2] = [b"POST /v1/x?a=1 HTTP/1.1\r\nContent-Length: 5\r\nX-Key: k\r\n\r\nhe", b"llo+more"];
        let request = read(&whole, true).unwrap();
        assert_eq!(
            (request.path(), request.body.as_slice(), request.header("x-key")),
            ("/v1/x", &b"hello"[..], Some("k"))
        );
        let chunked: [&[u8]; 3] = [
            b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel",
            b"\r\n2;x=y\r\nlo\r\n0\r\nT: 1\r\n",
            b"\r\n",
        ];
        assert_eq!(read(&chunked, true).unwrap().body, b"hello");
        assert!(read(&[b"GET / HTTP/1.0\r\n\r\n"], true).unwrap().is_old);
    }

    #[test]
    fn what_cannot_be_taken_is_refused_and_costs_no_more_than_its_limits() {
        let long = [b"GET / HTTP/1.1\r\nx: ".to_vec(), vec![b'a'; 2 << 10]].concat();
        let complete = [&long, &b"\r\n\r\n"[..]].concat();
        let nonsense: Vec<u8> = (0..10_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 11) as u8).collect();
        let cases: [(&[u8], u16); 11] = [
            (b"nonsense\r\n\r\n", 400),
            (&nonsense, 400),
            (&long, 431),
            (&complete, 431),
            (b"POST / HTTP/1.1\r\ncontent-length: 101\r\n\r\n", 413),
            (b"POST / HTTP/1.1\r\ncontent-length: +5\r\n\r\nhello", 400),
            (b"POST / HTTP/1.1\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello!", 400),
            (b"POST / HTTP/1.1\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n", 400),
            (b"POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffff\r\n", 413),
            (b"POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3\r\nhello\r\n", 400),
            (b"POST / HTTP/1.1\r\ncontent-length: 5\r\n\r\nhell", 408),
        ];
        for (sent, status) in cases {
            let told = read(&[sent], true).err();
            assert!(matches!(told, Some(Unheard::Refused(found, _)) if found == status), "{told:?} {status}");
        }
        assert_eq!(read(&[b"POST / HTTP/1.1\r\ncontent-length: 5\r\n\r\nhell"], false).err(), Some(Unheard::Gone));
    }
}
