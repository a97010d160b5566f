import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { Agent, request } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { call } from "./testing/call.ts";
import { addReadyService, startHttpFixture } from "./testing/http-fixture.ts";
import { claimTask, succeedTask } from "./testing/run-task.ts";

test("the server stops at once though clients keep connections and hang on tasks", async () => {
  const api = await startHttpFixture();
  const service = await addReadyService(api.store, api.own);
  const posted = await call(`${api.url}/v1/services/${service.id}`, { key: api.own.key, body: '{"input":1}' });
  const agent = new Agent({ keepAlive: true });
  await new Promise<void>((resolve, reject) => {
    request(`${api.url}/healthz`, { agent }, (response) => response.resume().on("end", resolve))
      .on("error", reject)
      .end();
  });
  const hanging = call(`${api.url}/v1/tasks/${posted.json.task_id}?wait=300`, { key: api.own.key });
  await waiting(api.metrics.registry.getSingleMetricAsString("elastic_http_waits").then(() => undefined));
  const before = performance.now();
  await api.close();
  expect(performance.now() - before).toBeLessThan(2000);
  expect((await hanging).json.state).toBe("PENDING");
  agent.destroy();

  async function waiting(first: Promise<void>): Promise<void> {
    await first;
    while (!(await api.metrics.registry.getSingleMetricAsString("elastic_http_waits")).endsWith(" 1")) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
});

test("a request in progress when the server begins to stop still gets its response", async () => {
  const api = await startHttpFixture();
  const service = await addReadyService(api.store, api.own);
  const body = `{"input":"${"x".repeat(1 << 20)}"}`;
  // Either it is refused the connection, maybe before the server has stopped, or it is served to the end.
  const posting = call(`${api.url}/v1/services/${service.id}`, { key: api.own.key, body }).catch(() => null);
  await api.server.stop();
  const response = await posting;
  if (response !== null) expect([response.status, response.json.input_bytes]).toEqual([201, (1 << 20) + 2]);
  await api.close();
});

test("a client that hangs up before its response begins is no error of this side", async () => {
  const lines: { readonly level: number; readonly msg: string; readonly err?: { readonly code?: string } }[] = [];
  const log = pino({ level: "debug" }, { write: (line) => void lines.push(JSON.parse(line)) });
  const api = await startHttpFixture(log);
  const service = await addReadyService(api.store, api.own);
  const sockets: Socket[] = [];
  const keepSocket = (message: unknown) => void sockets.push((message as { readonly socket: Socket }).socket);
  subscribe("http.server.request.start", keepSocket);
  const headers = { "x-api-key": api.own.key, "content-type": "application/json" };
  const upload = request(`${api.url}/v1/services/${service.id}`, { method: "POST", headers });
  upload.on("error", () => undefined);
  const { blobs } = api;
  const put = blobs.put.bind(blobs);
  vi.spyOn(blobs, "put").mockImplementation(async (...given) => {
    upload.destroy();
    await Promise.all(sockets.map((socket) => once(socket, "close")));
    return await put(...given);
  });
  upload.end(`{"input":"${"x".repeat(100_000)}"}`);
  await expect.poll(() => lines.filter(({ err }) => err?.code === "ERR_STREAM_PREMATURE_CLOSE")).toHaveLength(1);
  unsubscribe("http.server.request.start", keepSocket);
  expect(lines.filter(({ level }) => level > 30)).toEqual([]);
  await api.close();
});

test("a response that breaks off while its client listens is an error of this side", async () => {
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line) => void lines.push(line) });
  const api = await startHttpFixture(log);
  const service = await addReadyService(api.store, api.own);
  const posted = await call(`${api.url}/v1/services/${service.id}`, { key: api.own.key, body: '{"input":1}' });
  const id = posted.json.task_id;
  await claimTask(api, id);
  await succeedTask(api, id, "x".repeat(100_000));
  const broken = new Readable({ read: () => void broken.destroy() });
  vi.spyOn(api.blobs, "open").mockResolvedValue({ bytes: 100_000, stream: broken });
  const download = call(`${api.url}/v1/tasks/${id}/result`, { key: api.own.key });
  await expect(download).rejects.toThrow(/no status 500.*"code":"internal"/s);
  expect(lines.map((line) => JSON.parse(line).level)).toEqual([50]);
  await api.close();
});
