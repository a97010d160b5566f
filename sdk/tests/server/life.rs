//! What happens around a proof: health, progress, waiting, going away, draining.

use crate::support::{Server, gate, happened, parts, problem};
use elastic_sdk::Settings;
use serde_json::json;

#[tokio::test]
async fn an_idle_prover_is_ready_and_has_no_progress() {
    let server = Server::start().await;
    assert_eq!(server.get("/healthz").await, (200, json!({"status": "ready", "busy": false})));
    let (status, document) = server.get("/progress").await;
    assert_eq!((status, &document["code"]), (404, &json!("no_progress")));
}

#[tokio::test]
async fn health_responds_while_a_proof_computes_without_awaiting() {
    let server = Server::start().await;
    let spin = gate("health");
    let proof = server.start_prove(json!({"do": "spin", "gate": "health"}));
    happened(&spin.started).await;
    assert_eq!(server.get("/healthz").await, (200, json!({"status": "ready", "busy": true})));
    assert_eq!(server.get("/progress").await.0, 404);
    spin.release.add_permits(1);
    assert_eq!(parts(proof.await.unwrap()), (200, json!("spun")));
    server.until("/healthz", (200, json!({"status": "ready", "busy": false}))).await;
}

#[tokio::test]
async fn a_caller_that_goes_away_drops_a_waiting_proof() {
    let server = Server::start().await;
    let wait = gate("drop");
    let proof = server.start_prove(json!({"do": "wait", "gate": "drop"}));
    happened(&wait.started).await;
    proof.abort();
    happened(&wait.ended).await;
    assert_eq!(parts(server.prove(json!({"do": "add", "a": 1, "b": 1})).await), (200, json!(2)));
}

#[tokio::test]
async fn a_caller_that_goes_away_is_seen_by_a_proof_that_only_computes() {
    let server = Server::start().await;
    let spin = gate("cancel");
    let proof = server.start_prove(json!({"do": "spin", "gate": "cancel"}));
    happened(&spin.started).await;
    proof.abort();
    happened(&spin.ended).await;
    server.until("/healthz", (200, json!({"status": "ready", "busy": false}))).await;
}

#[tokio::test]
async fn a_second_task_waits_for_the_first_and_more_than_may_wait_are_rejected_as_busy() {
    let mut settings = Settings::default();
    settings.queue_max = 1;
    let server = Server::start_with(settings).await;
    let wait = gate("queue");
    let first = server.start_prove(json!({"do": "wait", "gate": "queue"}));
    happened(&wait.started).await;
    // One of these two waits and the other is refused, whichever comes first.
    let mut one = server.start_prove(json!({"do": "add", "a": 1, "b": 2}));
    let mut other = server.start_prove(json!({"do": "add", "a": 1, "b": 2}));
    let (refused, waiting) = tokio::select! {
        refused = &mut one => (refused.unwrap(), other),
        refused = &mut other => (refused.unwrap(), one),
    };
    assert_eq!(refused.headers()["retry-after"], "1");
    let (status, code, _) = problem(refused);
    assert_eq!((status, code.as_str()), (503, "busy"));
    wait.release.add_permits(1);
    assert_eq!(parts(first.await.unwrap()), (200, json!("waited")));
    assert_eq!(parts(waiting.await.unwrap()), (200, json!(3)));
}

#[tokio::test]
async fn draining_finishes_the_running_proof_and_rejects_all_others() {
    let mut server = Server::start().await;
    let wait = gate("drain");
    let running = server.start_prove(json!({"do": "wait", "gate": "drain"}));
    happened(&wait.started).await;
    server.drain();
    server.until("/healthz", (503, json!({"status": "draining", "busy": true}))).await;
    let refused = server.prove(json!({"do": "add", "a": 1, "b": 1})).await;
    assert_eq!(refused.headers()["retry-after"], "1");
    assert_eq!(problem(refused).1, "draining");
    wait.release.add_permits(1);
    assert_eq!(parts(running.await.unwrap()), (200, json!("waited")));
    server.served.await.unwrap().unwrap();
}
