//! Reading one HTTP/1.1 request, as much of it as the agent's requests need.

use std::io::{self, BufRead, BufReader, Read};

/// The longest head that is read.
const HEAD_BYTES_MAX: u64 = 64 * 1024;

/// Method, path and body; of the headers only what is needed to read the body.
#[derive(Debug)]
pub struct Request {
    /// `GET`, `POST`, …
    pub method: String,
    /// As sent, with the query.
    pub path: String,
    /// All of it.
    pub body: Vec<u8>,
}

/// Reads a request to its end. `Ok(None)` if the other side closed before it sent anything.
pub fn read(stream: impl Read) -> io::Result<Option<Request>> {
    let mut reader = BufReader::new(stream);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        reader.by_ref().take(HEAD_BYTES_MAX).read_line(&mut line)?;
        match line.trim_end() {
            "" if lines.is_empty() && line.is_empty() => return Ok(None),
            "" => break,
            text => lines.push(text.to_owned()),
        }
    }
    let mut words = lines[0].split(' ');
    let (method, path) =
        (words.next().unwrap_or_default().to_owned(), words.next().unwrap_or_default().to_owned());
    let chunked =
        header(&lines, "transfer-encoding").is_some_and(|value| value.eq_ignore_ascii_case("chunked"));
    let body = if chunked {
        read_chunks(&mut reader)?
    } else {
        let length = header(&lines, "content-length").and_then(|value| value.parse().ok()).unwrap_or(0);
        let mut body = Vec::new();
        reader.take(length).read_to_end(&mut body)?;
        body
    };
    Ok(Some(Request { method, path, body }))
}

fn header<'a>(lines: &'a [String], name: &str) -> Option<&'a str> {
    let mut fields = lines.iter().skip(1).filter_map(|line| line.split_once(':'));
    fields.find(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}

fn read_chunks(reader: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let digits = line.trim_end().split(';').next().unwrap_or_default();
        let size = u64::from_str_radix(digits, 16)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        reader.take(size).read_to_end(&mut body)?;
        reader.read_line(&mut String::new())?;
        if size == 0 {
            return Ok(body);
        }
    }
}
