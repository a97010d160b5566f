/** Spans on the wire, to a server of this test; test/long has OpenTelemetry's own collector read them. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { openTracing } from "./open-tracing.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SAMPLED = `00-${TRACE}-00f067aa0ba902b7-01`;
const UNSAMPLED = `00-${TRACE}-00f067aa0ba902b7-00`;
const SERVICE = { name: "elastic-test", version: "1", instance: "a" };

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

interface Received {
  readonly path: string | undefined;
  readonly type: string | undefined;
  readonly body: Buffer;
}

/** `respond`: whether it ever does. */
async function collector(respond = true) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({ path: request.url, type: request.headers["content-type"], body: Buffer.concat(chunks) });
    if (respond) response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { received, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function tracingTo(endpoint: string) {
  const counted = { exported: 0, dropped: 0 };
  const tracing = await openTracing({
    endpoint,
    service: SERVICE,
    exportTimeoutMs: 1_000,
    counts: {
      exported: (spans) => {
        counted.exported += spans;
      },
      dropped: (spans) => {
        counted.dropped += spans;
      },
    },
  });
  return { tracing, counted };
}

test("sends what was begun and what is recorded within it as one trace, in OTLP", async () => {
  const { received, endpoint } = await collector();
  const { tracing, counted } = await tracingTo(endpoint);
  const begun = tracing.begin(SAMPLED, { name: "accept", kind: "server", attributes: { "elastic.task.id": "t1" } });
  expect(begun.traceparent).toMatch(new RegExp(`^00-${TRACE}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`));
  tracing.record(begun.traceparent, { name: "queue", fromMs: 1_000, toMs: 2_000, error: "queue_timeout" });
  begun.end();
  await tracing.stop();
  expect(received.map(({ path, type }) => [path, type])).toEqual([["/v1/traces", "application/x-protobuf"]]);
  const text = received[0]?.body.toString("latin1") ?? "";
  for (const part of ["elastic-test", "accept", "t1", "queue", "queue_timeout"]) expect(text).toContain(part);
  const own = Buffer.from(begun.traceparent?.split("-")[2] ?? "", "hex").toString("latin1");
  // Of the span itself, and as the parent of the other.
  expect(text.split(own)).toHaveLength(3);
  expect(text.split(Buffer.from(TRACE, "hex").toString("latin1"))).toHaveLength(3);
  expect(counted).toEqual({ exported: 2, dropped: 0 });
});

test("begins a trace where the caller has none, and records nothing where there is none", async () => {
  const { received, endpoint } = await collector();
  const { tracing } = await tracingTo(endpoint);
  expect(tracing.begin(undefined, { name: "accept" }).traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  tracing.record(undefined, { name: "queue", fromMs: 1, toMs: 2 });
  await tracing.stop();
  expect(received).toEqual([]);
});

test("passes on the trace of a caller that does not sample, and sends nothing of it", async () => {
  const { received, endpoint } = await collector();
  const { tracing } = await tracingTo(endpoint);
  const begun = tracing.begin(UNSAMPLED, { name: "accept" });
  expect(begun.traceparent).toBe(UNSAMPLED);
  begun.end();
  tracing.record(begun.traceparent, { name: "queue", fromMs: 1, toMs: 2 });
  await tracing.stop();
  expect(received).toEqual([]);
});

test("costs a counter where nothing listens at the endpoint", async () => {
  const { tracing, counted } = await tracingTo("http://127.0.0.1:1");
  for (let n = 0; n < 600; n++) tracing.begin(undefined, { name: "accept" }).end();
  await tracing.stop();
  await expect.poll(() => counted.dropped, { timeout: 20_000 }).toBe(600);
  expect(counted.exported).toBe(0);
});

test("neither waits for a collector that does not respond, nor retains more than its bound", async () => {
  const { received, endpoint } = await collector(false);
  const { tracing, counted } = await tracingTo(endpoint);
  for (let n = 0; n < 20_000; n++) tracing.begin(undefined, { name: "accept" }).end();
  expect(counted.dropped).toBe(20_000 - 512 - 4_096);
  await expect.poll(() => received.length).toBeGreaterThan(0);
  const startMs = performance.now();
  await tracing.stop();
  expect(performance.now() - startMs).toBeLessThan(5_000);
});
