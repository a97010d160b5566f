import { addReadyService, type HttpFixture, startHttpFixture } from "@elastic/coordinator/http/testing/http-fixture.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ElasticClient } from "../client.ts";
import { startBrokenLine } from "../testing/broken-line.ts";
import { inputUrl, jsonText } from "./task-input.ts";

let api: HttpFixture;
let client: ElasticClient;
let service: string;

beforeAll(async () => {
  api = await startHttpFixture();
  service = (await addReadyService(api.store, api.own)).id;
  client = new ElasticClient({ url: api.url, key: api.own.key });
});
afterAll(() => api.close());

test("createBatch makes a task of each input, byte for byte and in their order", async () => {
  const batch = await client.createBatch("prover", [jsonText("1.0"), { n: 2 }, new TextEncoder().encode("[3]")], {
    priority: -1,
  });
  const tasks = await Promise.all(batch.task_ids.map((id) => client.getTask(id)));
  expect([batch.state, ...tasks.map(({ input, priority }) => [input, priority])]).toEqual([
    "CREATED",
    ["1.0", -1],
    ['{"n":2}', -1],
    ["[3]", -1],
  ]);
});

test("createBatch refuses what would be fetched or uploaded, and is not sent", async () => {
  await expect(client.createBatch(service, [1, inputUrl("https://example.com/input.json")])).rejects.toThrow(TypeError);
});

test("createBatch makes one batch where its response is lost", async () => {
  await using line = await startBrokenLine(api.url);
  const over = new ElasticClient({ url: line.url, key: api.own.key, retries: { pauseMs: 5 } });
  const before = api.store.view.tasks.list({ teamId: api.own.teamId }, { offset: 0, limit: 0 }).total;
  line.next("lose the response");
  const batch = await over.createBatch(service, [1, 2, 3]);
  const after = api.store.view.tasks.list({ teamId: api.own.teamId }, { offset: 0, limit: 0 }).total;
  expect([batch.task_ids.length, after - before]).toEqual([3, 3]);
});
