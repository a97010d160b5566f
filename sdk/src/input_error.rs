//! What is wrong with an input, said without its values: they may be the secret that is to be proven known.

/// Longer sentences are cut here.
const CHARACTERS_MAX: usize = 500;

/// Why a handler's `Input` could not be read, for a response or a log. Where `serde` would quote the value that it
/// met, this keeps only what was expected and where: the rest of the message is the handler's own words.
#[must_use]
pub fn describe_input_error(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let quotes = ["invalid type: ", "invalid value: ", "unknown variant "];
    let kind = quotes.into_iter().find(|kind| message.starts_with(kind));
    // The last one: the value itself may say ", expected " too.
    let description = match (kind, message.rfind(", expected ")) {
        (Some(kind), Some(at)) => format!("{}{}", kind.trim_end_matches([':', ' ']), &message[at..]),
        (Some(kind), None) => kind.trim_end_matches([':', ' ']).to_owned(),
        (None, _) => message,
    };
    description.chars().take(CHARACTERS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::describe_input_error;

    #[derive(Debug, Deserialize)]
    struct Input {
        secret: Vec<u64>,
        mode: Option<Mode>,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    enum Mode {
        Fast,
    }

    fn described(json: &str) -> String {
        describe_input_error(&serde_json::from_str::<Input>(json).unwrap_err())
    }

    #[test]
    fn the_input_of_these_tests_can_be_read() {
        let input: Input = serde_json::from_str(r#"{"secret":[1],"mode":"Fast"}"#).unwrap();
        assert_eq!((input.secret, input.mode), (vec![1], Some(Mode::Fast)));
    }

    #[test]
    fn no_value_of_the_input_is_repeated() {
        let secret = "WITNESS, expected nothing";
        for json in [
            format!(r#"{{"secret":["{secret}"]}}"#),
            format!(r#"{{"secret":"{secret}"}}"#),
            format!(r#"{{"secret":[],"mode":"{secret}"}}"#),
            r#"{"secret":[-123456789]}"#.to_owned(),
            r#"{"secret":[123456789.5]}"#.to_owned(),
        ] {
            let text = described(&json);
            assert!(!text.contains("WITNESS") && !text.contains("123456789"), "{json}: {text}");
        }
    }

    #[test]
    fn what_was_expected_and_where_is_retained() {
        assert_eq!(described(r#"{"secret":["x"]}"#), "invalid type, expected u64 at line 1 column 14");
        assert!(described(r#"{"mode":null}"#).starts_with("missing field `secret`"));
        assert!(described("{").starts_with("EOF while parsing"));
    }

    #[test]
    fn a_long_sentence_is_cut() {
        let error = <serde_json::Error as serde::de::Error>::custom("x".repeat(10_000));
        assert_eq!(describe_input_error(&error).len(), 500);
    }
}
