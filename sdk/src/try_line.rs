//! The line with which a prover's author tries it: complete, and as it is typed into a shell.

use std::io::{self, IsTerminal, Write};

/// At a terminal it is a plain line to copy, elsewhere a line of the log.
pub(crate) fn show(port: u16, input: &str) {
    let line = try_line(port, input);
    let mut stderr = io::stderr().lock();
    if stderr.is_terminal() {
        // Nobody reads it where it cannot be written.
        let _ = writeln!(stderr, "\nTry it from another terminal:\n\n{line}\n");
    } else {
        drop(stderr);
        tracing::info!("try: {line}");
    }
}

fn try_line(port: u16, input: &str) -> String {
    let input = input.replace('\'', r"'\''");
    format!(
        "curl -H 'content-type: application/json' -H 'ce-specversion: 1.0' -H 'ce-id: 1' -H 'ce-source: local' \
         -H 'ce-type: task' --data '{input}' http://localhost:{port}/"
    )
}

#[cfg(test)]
mod tests {
    use super::try_line;

    #[test]
    fn an_input_with_quotes_stays_one_word_of_the_shell() {
        assert!(try_line(1, r#"{"a":"it's"}"#).contains(r#"--data '{"a":"it'\''s"}' http://localhost:1/"#));
    }
}
