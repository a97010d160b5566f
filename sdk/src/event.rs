//! The event envelope: CloudEvents 1.0 in binary mode, which is four headers around a bare body.

use hyper::{HeaderMap, header::CONTENT_TYPE};

use crate::problem::Problem;

/// What is used of the envelope. `ce-id` is the task's id.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) id: String,
}

impl Event {
    /// Checks that the four headers are there, once each, and that the body is the bare input.
    pub(crate) fn read(headers: &HeaderMap) -> Result<Self, Problem> {
        check_content_type(headers)?;
        let version = attribute(headers, "ce-specversion")?;
        if version != "1.0" {
            return Err(Problem::bad_event(format!("ce-specversion is {version:?}; this prover speaks 1.0")));
        }
        attribute(headers, "ce-source")?;
        attribute(headers, "ce-type")?;
        Ok(Self { id: attribute(headers, "ce-id")?.to_owned() })
    }
}

fn attribute<'a>(headers: &'a HeaderMap, name: &str) -> Result<&'a str, Problem> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().ok_or_else(|| Problem::bad_event(format!("the header {name} is missing")))?;
    if values.next().is_some() {
        return Err(Problem::bad_event(format!("the header {name} is there more than once")));
    }
    let text = value.to_str().ok().filter(|text| !text.is_empty());
    text.ok_or_else(|| Problem::bad_event(format!("the header {name} is empty or not ASCII")))
}

/// Absent is fine, as the body can only be the input.
fn check_content_type(headers: &HeaderMap) -> Result<(), Problem> {
    headers.get_all(CONTENT_TYPE).iter().try_for_each(|value| {
        let value = value.to_str().unwrap_or_default();
        let kind = value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match kind.as_str() {
            "application/json" => Ok(()),
            "application/cloudevents+json" | "application/cloudevents-batch+json" => {
                Err(Problem::unsupported_media_type(
                    "events in structured or batched mode are not accepted: send the attributes as ce-* headers \
                     and the bare input as the body (binary mode), with content-type application/json",
                ))
            }
            _ => Err(Problem::unsupported_media_type(format!(
                "the content-type is {value:?}; the input must be application/json"
            ))),
        }
    })
}
