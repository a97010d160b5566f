//! What a request gets: the envelope, the input, the output, and every refusal.

use crate::support::{
    Server,
    client::{Response, send},
    event, parts, problem,
};
use cloudevents::Event;
use elastic_sdk::Settings;
use hyper::{Request, http::request};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

const ENVELOPE: [(&str, &str); 4] =
    [("ce-specversion", "1.0"), ("ce-id", "1"), ("ce-source", "here"), ("ce-type", "task")];

fn post(headers: &[(&str, &str)]) -> request::Builder {
    headers.iter().fold(Request::post("/"), |request, (name, value)| request.header(*name, *value))
}

async fn respond(server: &Server, request: request::Builder, body: impl Into<Vec<u8>>) -> Response {
    send(&server.address, request.body(body.into()).unwrap()).await
}

/// Sends bytes as they are and returns all that comes back.
async fn raw(server: &Server, request: &str) -> String {
    let mut stream = TcpStream::connect(&server.address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn an_event_in_binary_mode_is_proven_and_returns_the_bare_output() {
    let server = Server::start().await;
    let response = server.prove(json!({"do": "add", "a": 2, "b": 3})).await;
    assert_eq!(response.headers()["content-type"], "application/json");
    assert_eq!(parts(response), (200, json!(5)));
}

#[tokio::test]
async fn each_missing_envelope_header_is_named() {
    let server = Server::start().await;
    for (missing, _) in ENVELOPE {
        let others: Vec<_> = ENVELOPE.into_iter().filter(|(name, _)| *name != missing).collect();
        let response = respond(&server, post(&others), "{}").await;
        let expected = (400, "bad_event".to_owned(), format!("the header {missing} is missing"));
        assert_eq!(problem(response), expected);
    }
}

#[tokio::test]
async fn an_envelope_header_that_is_empty_or_doubled_or_of_another_version_is_refused() {
    let server = Server::start().await;
    let cases = [
        (("ce-id", ""), "the header ce-id is empty or not ASCII"),
        (("ce-specversion", "0.3"), "ce-specversion is \"0.3\"; this prover speaks 1.0"),
    ];
    for ((name, value), detail) in cases {
        let headers = ENVELOPE.map(|header| if header.0 == name { (name, value) } else { header });
        let response = respond(&server, post(&headers), "{}").await;
        assert_eq!(problem(response), (400, "bad_event".to_owned(), detail.to_owned()));
    }
    let response = respond(&server, post(&ENVELOPE).header("ce-id", "2"), "{}").await;
    assert_eq!(problem(response).2, "the header ce-id is there more than once");
}

#[tokio::test]
async fn an_event_in_structured_mode_is_refused_with_the_reason() {
    let server = Server::start().await;
    let event: Event = event(json!({"do": "add", "a": 2, "b": 3}));
    let body = serde_json::to_vec(&event).unwrap();
    let request = post(&[("content-type", "application/cloudevents+json")]);
    let (status, code, detail) = problem(respond(&server, request, body).await);
    assert_eq!((status, code.as_str()), (415, "unsupported_media_type"));
    assert!(detail.contains("binary mode"), "{detail}");
    let text = respond(&server, post(&ENVELOPE).header("content-type", "text/plain"), "1").await;
    assert_eq!(problem(text).0, 415);
}

#[tokio::test]
async fn an_input_that_does_not_fit_is_refused_with_the_place_in_it() {
    let server = Server::start().await;
    for (body, expected) in [
        ("{\"do\":\"add\",\"a\":2,", "line 1 column"),
        ("", "EOF while parsing a value at line 1 column 0"),
        ("{\"do\":\"add\",\"a\":-2,\"b\":1}", "invalid value, expected u32"),
        ("{\"do\":\"dance\"}", "unknown variant, expected one of"),
        ("{\"do\":\"add\",\"a\":2}", "missing field `b`"),
    ] {
        let response = respond(&server, post(&ENVELOPE), body).await;
        let (status, code, detail) = problem(response);
        assert_eq!((status, code.as_str()), (422, "invalid_input"));
        assert!(detail.contains(expected), "{detail}");
    }
}

#[tokio::test]
async fn a_handlers_error_is_reported_in_its_own_words() {
    let server = Server::start().await;
    let response = server.prove(json!({"do": "fail", "why": "the moon is not full"})).await;
    assert_eq!(problem(response), (500, "prover_error".to_owned(), "the moon is not full".to_owned()));
    let response = server.prove(json!({"do": "unwritable"})).await;
    assert_eq!(problem(response).1, "output_not_json");
}

#[tokio::test]
async fn a_panic_becomes_a_response_and_the_next_task_is_proven() {
    let server = Server::start().await;
    let response = server.prove(json!({"do": "panic", "why": "out of luck"})).await;
    let expected = (500, "prover_panic".to_owned(), "the prover panicked: out of luck".to_owned());
    assert_eq!(problem(response), expected);
    assert_eq!(parts(server.prove(json!({"do": "add", "a": 1, "b": 1})).await), (200, json!(2)));
}

#[tokio::test]
async fn an_input_over_the_limit_is_refused_however_its_length_is_declared() {
    let mut settings = Settings::default();
    settings.input_bytes_max = 26;
    let server = Server::start_with(settings).await;
    let fits = server.prove(json!({"do": "add", "a": 12, "b": 30})).await;
    assert_eq!(parts(fits), (200, json!(42)));
    let too_long = server.prove(json!({"do": "add", "a": 12, "b": 300})).await;
    assert_eq!(problem(too_long).0, 413);
    let head: String = ENVELOPE.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let chunk = format!("14\r\n{}\r\n", " ".repeat(20));
    let request = format!(
        "POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n{head}\r\n{chunk}{chunk}0\r\n\r\n"
    );
    let answer = raw(&server, &request).await;
    assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
    assert!(answer.contains("the input is longer than 26 bytes (ELASTIC_INPUT_BYTES_MAX)"), "{answer}");
}

#[tokio::test]
async fn eleven_mebibytes_are_refused_by_default_and_the_response_arrives() {
    let server = Server::start().await;
    let response = server.prove(Value::String("x".repeat(11 * 1024 * 1024))).await;
    assert_eq!(problem(response).1, "input_too_large");
}

#[tokio::test]
async fn other_paths_and_methods_are_refused_with_those_that_there_are() {
    let server = Server::start().await;
    let response = respond(&server, Request::get("/proofs"), "").await;
    let (status, _, detail) = problem(response);
    assert_eq!(status, 404);
    assert!(detail.contains("nothing at /proofs"), "{detail}");
    let response = respond(&server, Request::get("/"), "").await;
    assert_eq!(response.headers()["allow"], "POST");
    assert_eq!(problem(response).0, 405);
    let response = respond(&server, Request::post("/healthz"), "").await;
    assert_eq!(response.headers()["allow"], "GET, HEAD");
    assert_eq!(problem(response).0, 405);
}

#[tokio::test]
async fn a_head_with_too_many_or_too_large_headers_is_refused() {
    let server = Server::start().await;
    let many: String = (0..64).map(|i| format!("x-{i}: 1\r\n")).collect();
    let large = format!("x: {}\r\n", "y".repeat(64 * 1024));
    for headers in [many, large] {
        let answer = raw(&server, &format!("GET /healthz HTTP/1.1\r\nhost: x\r\n{headers}\r\n")).await;
        assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
    }
}
