//! A server on a free port, a handler that does what its input says, and gates that tests wait at.
#![allow(dead_code, clippy::unwrap_used, missing_docs, unreachable_pub)]

pub mod client;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, OnceLock},
    time::{Duration, Instant},
};

use client::{Response, send};
use cloudevents::{Event, EventBuilder, EventBuilderV10};
use elastic_sdk::{ProofHandler, Settings, cancelled, progress, serve};
use hyper::Request;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::{
    net::TcpListener,
    sync::{Semaphore, oneshot},
    task::JoinHandle,
    time::timeout,
};

/// Where a proof and its test meet. Each semaphore counts how often something happened.
pub struct Gate {
    pub started: Semaphore,
    pub release: Semaphore,
    pub ended: Semaphore,
}

/// The gate of that name, made at its first use.
pub fn gate(name: &str) -> Arc<Gate> {
    static GATES: OnceLock<Mutex<HashMap<String, Arc<Gate>>>> = OnceLock::new();
    let mut gates = GATES.get_or_init(Mutex::default).lock().unwrap();
    let shut = || Semaphore::new(0);
    let new = || Arc::new(Gate { started: shut(), release: shut(), ended: shut() });
    Arc::clone(gates.entry(name.to_owned()).or_insert_with(new))
}

/// After so long a test that waits for something has failed. Nothing here takes a hundredth of it.
const PATIENCE: Duration = Duration::from_secs(30);

/// Waits until it has happened once more.
pub async fn happened(semaphore: &Semaphore) {
    let permit = timeout(PATIENCE, semaphore.acquire()).await.expect("it happens in time");
    permit.unwrap().forget();
}

/// Opens a semaphore when dropped.
struct OpenOnDrop(Arc<Gate>);

impl Drop for OpenOnDrop {
    fn drop(&mut self) {
        self.0.ended.add_permits(1);
    }
}

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Script {
    Add {
        a: u32,
        b: u32,
    },
    Fail {
        why: String,
    },
    Panic {
        why: String,
    },
    /// Awaits the gate's release.
    Wait {
        gate: String,
    },
    /// Computes until released or cancelled, never awaiting.
    Spin {
        gate: String,
    },
    /// Reports progress from another thread, then waits for release.
    Report {
        gate: String,
        fraction: f64,
        message: String,
    },
    /// An output that JSON cannot hold.
    Unwritable,
}

#[derive(Serialize)]
#[serde(untagged)]
pub enum Output {
    Sum(u32),
    Text(&'static str),
    Pairs(HashMap<Vec<u8>, u8>),
}

pub struct Scripted;

impl ProofHandler for Scripted {
    type Input = Script;
    type Output = Output;
    type Error = String;

    async fn prove(script: Script) -> Result<Output, String> {
        match script {
            Script::Add { a, b } => Ok(Output::Sum(a + b)),
            Script::Fail { why } => Err(why),
            Script::Panic { why } => panic!("{why}"),
            Script::Wait { gate: name } => {
                let gate = gate(&name);
                let _open = OpenOnDrop(Arc::clone(&gate));
                gate.started.add_permits(1);
                happened(&gate.release).await;
                Ok(Output::Text("waited"))
            }
            Script::Spin { gate: name } => {
                let gate = gate(&name);
                let _open = OpenOnDrop(Arc::clone(&gate));
                gate.started.add_permits(1);
                // Longer than any test waits, and not for ever.
                let end = Instant::now() + 2 * PATIENCE;
                while Instant::now() < end
                    && gate.release.try_acquire().map(tokio::sync::SemaphorePermit::forget).is_err()
                {
                    if cancelled() {
                        return Err("cancelled".to_owned());
                    }
                    std::hint::spin_loop();
                }
                Ok(Output::Text("spun"))
            }
            Script::Report { gate: name, fraction, message } => {
                let gate = gate(&name);
                std::thread::spawn(move || progress(fraction, message)).join().unwrap();
                gate.started.add_permits(1);
                happened(&gate.release).await;
                Ok(Output::Text("reported"))
            }
            Script::Unwritable => Ok(Output::Pairs(HashMap::from([(vec![1], 1)]))),
        }
    }
}

/// A running server.
pub struct Server {
    /// `127.0.0.1:<port>`.
    pub address: String,
    pub served: JoinHandle<std::io::Result<()>>,
    drain: Option<oneshot::Sender<()>>,
}

impl Server {
    pub async fn start() -> Self {
        Self::start_with(Settings::default()).await
    }

    pub async fn start_with(settings: Settings) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (drain, drained) = oneshot::channel();
        let served = tokio::spawn(serve::<Scripted>(listener, settings, async {
            drained.await.unwrap_or_default();
        }));
        Self { address, served, drain: Some(drain) }
    }

    pub fn drain(&mut self) {
        self.drain.take().unwrap().send(()).unwrap();
    }

    /// Sends an event through the public CloudEvents crate.
    pub async fn prove(&self, input: Value) -> Response {
        send(&self.address, client::of_event(event(input))).await
    }

    /// The same in a separate task, so that the test continues while it runs.
    pub fn start_prove(&self, input: Value) -> JoinHandle<Response> {
        let address = self.address.clone();
        tokio::spawn(async move { send(&address, client::of_event(event(input))).await })
    }

    pub async fn get(&self, path: &str) -> (u16, Value) {
        parts(send(&self.address, Request::get(path).body(Vec::new()).unwrap()).await)
    }

    /// Requests a path until its response is the wanted one.
    pub async fn until(&self, path: &str, wanted: (u16, Value)) {
        let reached = async {
            while self.get(path).await != wanted {
                tokio::task::yield_now().await;
            }
        };
        timeout(PATIENCE, reached).await.expect("the response comes in time");
    }
}

pub fn event(input: Value) -> Event {
    EventBuilderV10::new()
        .id("0190f5e2a7c07d3f8a1b2c3d4e5f6a7b")
        .source("https://elastic.example/tasks")
        .ty("elastic.task")
        .data("application/json", input)
        .build()
        .unwrap()
}

/// Status and JSON body.
pub fn parts(response: Response) -> (u16, Value) {
    let status = response.status().as_u16();
    (status, serde_json::from_slice(response.body()).unwrap())
}

/// Status, code and detail of a problem, after checking that it is one.
pub fn problem(response: Response) -> (u16, String, String) {
    assert_eq!(response.headers()["content-type"], "application/problem+json");
    let (status, document) = parts(response);
    assert_eq!(document["status"], status);
    assert_eq!(document["type"], "about:blank");
    assert!(document["title"].is_string());
    let text = |name: &str| document[name].as_str().unwrap().to_owned();
    (status, text("code"), text("detail"))
}
