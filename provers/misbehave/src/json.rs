//! As much JSON as a test prover reads and writes.

/// A JSON string.
pub fn string(text: &str) -> String {
    let mut json = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            c if u32::from(c) < 0x20 => json.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => json.push(c),
        }
    }
    json.push('"');
    json
}

/// A JSON array of strings.
pub fn strings<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> String {
    let items: Vec<_> = texts.into_iter().map(|text| string(text.as_ref())).collect();
    format!("[{}]", items.join(","))
}

/// Every run of digits: enough to read `{"ms": N, "lines": M}`.
pub fn numbers(json: &[u8]) -> Vec<u64> {
    let text = String::from_utf8_lossy(json);
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

/// Everything between quotes that holds a colon followed by a port: enough to read `{"connect": ["host:port"]}`.
pub fn addresses(json: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(json);
    let quoted = text.split('"').skip(1).step_by(2);
    quoted
        .filter(|s| s.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok()))
        .map(str::to_owned)
        .collect()
}
