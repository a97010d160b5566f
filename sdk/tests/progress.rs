//! Progress. Alone in its program, because a thread that the prover starts finds the proof that runs in the process.
#![allow(clippy::unwrap_used)]

mod support;

use serde_json::json;
use support::{Server, gate, happened, parts};

#[tokio::test]
async fn progress_reported_from_any_thread_is_shown_until_the_proof_ends() {
    let server = Server::start().await;
    let report = gate("report");
    let input = json!({"do": "report", "gate": "report", "fraction": 1.5, "message": "folding step 3 of 2"});
    let proof = server.start_prove(input);
    happened(&report.started).await;
    let expected = json!({"fraction": 1.0, "message": "folding step 3 of 2"});
    assert_eq!(server.get("/progress").await, (200, expected));
    report.release.add_permits(1);
    assert_eq!(parts(proof.await.unwrap()), (200, json!("reported")));
    while server.get("/progress").await.0 != 404 {}
}
