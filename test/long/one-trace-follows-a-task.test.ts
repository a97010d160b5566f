/** From the caller's span to the webhook: one trace over coordinators and agent, as OpenTelemetry's own collector has it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startReceiver } from "@elastic/coordinator/egress/testing/receiver.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import type { Coordinator } from "../cluster/coordinator.ts";
import { type OtelCollector, startOtelCollector } from "../cluster/otel-collector.ts";
import { INPUT } from "../system/statement.ts";
import { ALLOW_RECEIVERS } from "../system/webhook-scenario.ts";

const CALLER = "00f067aa0ba902b7";
const TIMEOUT = { timeout: 60_000 };
/** Longer than a new leader takes, on a busy machine. */
const RUN_MS = 20_000;

let collector: OtelCollector;
let cluster: Cluster;

beforeAll(async () => {
  collector = await startOtelCollector();
  // What becomes of a task that succeeds is logged at this level alone.
  const debug = { ELASTIC_LOG_LEVEL: "debug" };
  const settings = { ELASTIC_OTLP_ENDPOINT: collector.endpoint, ...debug };
  cluster = await startCluster({
    coordinators: 2,
    coordinatorSettings: { ...settings, ...ALLOW_RECEIVERS },
    // By its standard name.
    agentSettings: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, ...debug },
  });
}, 180_000);
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]();
  await collector?.[Symbol.asyncDispose]();
});

async function leader(): Promise<Coordinator> {
  for (const one of cluster.coordinators) {
    const text = await (await fetch(one.metricsUrl)).text();
    if (text.includes("elastic_scheduler_leader 1")) return one;
  }
  throw new Error("nobody leads yet");
}

function traced(traceId: string) {
  return collector.spans().filter((span) => span.traceId === traceId);
}

async function post(at: Coordinator, serviceId: string, traceId: string, input: string): Promise<string> {
  const headers = { "content-type": "application/json", traceparent: `00-${traceId}-${CALLER}-01` };
  const body = `{"input":${input}}`;
  const response = await cluster.client(at).call(`/v1/services/${serviceId}`, { method: "POST", headers, body });
  return (response.json as { readonly task_id: string }).task_id;
}

test("from POST to webhook, over coordinators and agent, though the leader dies while it runs", async () => {
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  await using receiver = await startReceiver((_, response) => void response.writeHead(204).end());
  await expect.poll(() => leader().then(() => true), TIMEOUT).toBe(true);
  const first = await leader();
  const other = cluster.coordinators.find((one) => one !== first) ?? first;
  const { service_id: id } = await cluster.client(other).readyService("sleeps", { image: "builtin:sleep" });
  const headers = { "content-type": "application/json" };
  const webhook = JSON.stringify({ name: "receiver", url: receiver.url });
  await cluster.client(other).call(`/v1/services/${id}/webhooks`, { method: "POST", headers, body: webhook });

  const taskId = await post(first, id, traceId, `{"ms":${RUN_MS}}`);
  await expect.poll(() => traced(traceId).map(({ name }) => name), TIMEOUT).toContain("dispatch");
  await first.kill();
  expect(await cluster.client(other).ended(taskId)).toMatchObject({ state: "SUCCESS", attempt: 1 });

  // Whoever comes to command the machine sends the order again: a second `dispatch`.
  const names = () => new Set(traced(traceId).map(({ name }) => name));
  await expect
    .poll(() => [...names()].toSorted(), TIMEOUT)
    .toEqual(["accept", "dispatch", "end", "queue", "report", "run", "webhook"]);
  const spans = traced(traceId);
  const accept = spans.find(({ name }) => name === "accept");
  expect(accept?.parentSpanId).toBe(CALLER);
  // All else is below the span that accepted the task, and about that task.
  const others = spans.filter((span) => span !== accept);
  expect(others.map(({ parentSpanId }) => parentSpanId)).toEqual(others.map(() => accept?.spanId));
  expect(new Set(spans.map(({ attributes }) => attributes["elastic.task.id"]))).toEqual(new Set([taskId]));
  const by = (name: string) => spans.find((span) => span.name === name);
  expect([by("run")?.service, by("report")?.service]).toEqual(["elastic-agent", "elastic-agent"]);
  // Two coordinators took part.
  expect([by("end")?.service, by("end")?.instance === accept?.instance]).toEqual(["elastic-coordinator", false]);
  expect(receiver.received.map((got) => got.headers.traceparent)).toEqual([
    `00-${traceId}-${by("webhook")?.spanId}-01`,
  ]);
  const lines = linesOf(cluster.folder).filter((line) => line.includes(`"trace_id":"${traceId}"`));
  expect(lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg)).toEqual(
    expect.arrayContaining(["task created", "attempt succeeded"]),
  );
  await first.start();
});

test("a verified result has a span of its verification, and a task without a caller's trace a new one", async () => {
  const traceId = "5bf92f3577b34da6a3ce929d0e0e4736";
  const at = cluster.coordinators[1] as Coordinator;
  const deployment = { image: "builtin:poseidon", verifier_image: "builtin:poseidon-verify" };
  const { service_id: id } = await cluster.client(at).readyService("verified", deployment);
  await post(at, id, traceId, INPUT);
  await expect.poll(() => traced(traceId).map(({ name }) => name), TIMEOUT).toContain("verify");
  const { task_id: taskId } = await cluster.client(at).prove(id, INPUT);
  const own = () => collector.spans().filter(({ attributes }) => attributes["elastic.task.id"] === taskId);
  await expect.poll(() => own().length, TIMEOUT).toBeGreaterThanOrEqual(6);
  expect(new Set(own().map((span) => span.traceId)).size).toBe(1);
  expect(own().find(({ name }) => name === "accept")?.parentSpanId).toBe("");
});

function linesOf(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".log"));
  return files.flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"));
}
