/** Each example of docs/clients.md, as a reader would run it, before the service's own HTTP interface. */
import { addReadyService, type HttpFixture, startHttpFixture } from "@elastic/coordinator/http/testing/http-fixture.ts";
import { claimTask, failTask, succeedTask } from "@elastic/coordinator/http/testing/run-task.ts";
import { replace } from "@elastic/coordinator/store/change.ts";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { ElasticClient, signWebhook } from "elastic-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeWorkFolder } from "../cluster/work-folder.ts";
import { guideExamples } from "./guide-examples.ts";
import { checkTypes, type ExampleEnvironment, linkSources, runExample, startExample } from "./run-example.ts";

const EXAMPLES = guideExamples();
const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const RESULT = "the proof of the guide";

let api: HttpFixture;
let folder: ReturnType<typeof makeWorkFolder>;
let env: ExampleEnvironment;

beforeAll(async () => {
  api = await startHttpFixture();
  const service = await addReadyService(api.store, api.own);
  const read = await api.store.get("services", service.id);
  if (read === null) throw new Error("there is no service");
  await api.store.commit([replace("services", read, { ...read.value, name: "poseidon" })]);
  // As the demo prover does: what has no list of private inputs is rejected.
  api.store.view.tasks.subscribe(({ before, after }) => {
    if (before === undefined && after !== undefined) void end(after.value.id, after.value.input.bytes);
  });
  folder = makeWorkFolder();
  const { PATH } = process.env;
  env = { PATH, ELASTIC_URL: api.url, ELASTIC_API_KEY: api.own.key, ...linkSources(folder.path) };
});
afterAll(async () => {
  await api.close();
  folder[Symbol.dispose]();
});

async function end(id: string, inputBytes: number): Promise<void> {
  await claimTask(api, id);
  const isRejected = inputBytes < '{"private_input":[1,2]}'.length + 5;
  if (isRejected) await failTask(api, id, { reason: "prover_error", message: "private_input is no list" });
  else await succeedTask(api, id, RESULT);
}

test("the guide has as many examples for Python as for TypeScript, and their types are right", async () => {
  const counts = ["ts", "python"].map((language) => EXAMPLES.filter((one) => one.language === language).length);
  expect(counts).toEqual([8, 8]);
  await checkTypes(folder.path, EXAMPLES);
});

test.each(EXAMPLES.filter(({ isServer }) => !isServer))("$title: prints what it says", async (example) => {
  const printed = await runExample(folder.path, example, env);
  expect(printed).not.toBe("");
  if (example.title.startsWith("A proof")) expect(printed).toMatch(/the proof of the guide|^true$/im);
  if (example.title.startsWith("Failures")) expect(printed).toContain("the prover rejects the input: ");
  if (example.title.startsWith("Progress")) expect(printed).toMatch(/queued 0[\s\S]*running 1/);
});

test.each(EXAMPLES.filter(({ isServer }) => isServer))("$title: accepts what is signed alone", async (example) => {
  const client = new ElasticClient({ url: api.url, key: api.own.key });
  const { task } = await client.prove("poseidon", { private_input: [1, 2], public_input: "3" });
  const port = await freePort();
  await using server = startExample(folder.path, example, { ...env, PORT: String(port), WEBHOOK_SECRET: SECRET });
  const body = JSON.stringify({ type: "task.succeeded", timestamp: new Date().toISOString(), data: task });
  const headers = await signWebhook(body, { id: "event-1", timestampMs: Date.now(), secret: SECRET });
  const post = async (text: string): Promise<number | null> => {
    const request = { method: "POST", headers, body: text };
    return await fetch(`http://127.0.0.1:${port}/`, request).then(
      ({ status }) => status,
      () => null,
    );
  };
  await expect.poll(() => post(body)).toBe(204);
  expect(await post(`${body} `)).toBe(400);
  await expect.poll(() => server.printed()).toContain(`event-1 ${RESULT}`);
});
