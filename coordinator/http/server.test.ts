import { Agent, request } from "node:http";
import { expect, test } from "vitest";
import { call } from "./testing/call.ts";
import { addReadyService, startHttpFixture } from "./testing/http-fixture.ts";

test("the server stops at once though clients keep connections and hang on tasks", async () => {
  const api = await startHttpFixture();
  const service = await addReadyService(api.store, api.own);
  const posted = await call(`${api.url}/v1/services/${service.id}`, { key: api.own.key, body: '{"input":1}' });
  const agent = new Agent({ keepAlive: true });
  await new Promise<void>((resolve, reject) => {
    request(`${api.url}/healthz`, { agent }, (answer) => answer.resume().on("end", resolve))
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

test("a request under way when the server begins to stop is still answered", async () => {
  const api = await startHttpFixture();
  const service = await addReadyService(api.store, api.own);
  const body = `{"input":"${"x".repeat(1 << 20)}"}`;
  const posting = call(`${api.url}/v1/services/${service.id}`, { key: api.own.key, body });
  await api.server.stop();
  // Either it was refused the connection, or it was served to the end.
  const answer = await posting.catch(() => null);
  if (answer !== null) expect([answer.status, answer.json.input_bytes]).toEqual([201, (1 << 20) + 2]);
  await api.close();
});
