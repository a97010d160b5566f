import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../testing/call.ts";
import { addReadyService, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";
import { claimTask, failTask } from "../testing/run-task.ts";

let api: HttpFixture;
beforeAll(async () => {
  api = await startHttpFixture();
});
afterAll(() => api.close());

test("a record has the progress of its running attempt, and nothing of one that is over", async () => {
  const { key } = api.own;
  const service = await addReadyService(api.store, api.own);
  const { task_id: id } = (await call(`${api.url}/v1/services/${service.id}`, { key, body: '{"input":1}' })).json;
  const progress = async () => {
    const one = JSON.parse((await call(`${api.url}/v1/tasks/${id}`, { key })).text);
    const list = JSON.parse((await call(`${api.url}/v1/tasks`, { key })).text);
    expect(list.items[0].progress).toEqual(one.progress);
    return one.progress;
  };
  expect(await progress()).toBeNull();
  await claimTask(api, id);
  expect(await progress()).toBeNull();
  api.progress.set(id, 1, { fraction: 0.25, message: 'step "one"' });
  expect(await progress()).toEqual({ fraction: 0.25, message: 'step "one"' });
  await failTask(api, id, { reason: "gpu_fault" });
  expect(await progress()).toBeNull();
  await claimTask(api, id);
  expect(await progress()).toBeNull();
});
