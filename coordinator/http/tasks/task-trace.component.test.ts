import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../testing/call.ts";
import { addReadyService, addTenant, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";

const PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

let api: HttpFixture;
let post: (headers: Readonly<Record<string, string>>) => Promise<string | undefined>;

beforeAll(async () => {
  api = await startHttpFixture();
  const tenant = await addTenant(api.store, "ada");
  const { id } = await addReadyService(api.store, tenant);
  post = async (headers) => {
    const made = await call(`${api.url}/v1/services/${id}`, { key: tenant.key, headers, body: '{"input":1}' });
    return api.store.view.tasks.get(String(made.json.task_id))?.value.traceparent;
  };
});
afterAll(() => api.close());

test("stores the trace of the request with the task, also while traces are off", async () => {
  expect(await post({ traceparent: PARENT })).toBe(PARENT);
});

test.each([{}, { traceparent: "no trace" }, { traceparent: `${PARENT}-more` }])(
  "accepts a task with %j and stores none",
  async (headers) => {
    expect(await post(headers)).toBeUndefined();
  },
);

test("stores the span of its acceptance where traces are on", async () => {
  const own = PARENT.replace("00f067aa0ba902b7", "1111111111111111");
  const ended: unknown[] = [];
  api.metrics.tracing.use({
    begin: (parent) => ({ traceparent: parent === PARENT ? own : parent, end: (how) => void ended.push(how) }),
    record: () => undefined,
    stop: async () => undefined,
  });
  expect(await post({ traceparent: PARENT })).toBe(own);
  expect(ended).toEqual([{ attributes: { "elastic.task.id": expect.stringMatching(/^[0-9a-f]{32}$/) } }]);
});
