/** The client for Python before the service's own HTTP interface, over lines that lose what is sent. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  addReadyService,
  addTenant,
  type HttpFixture,
  startHttpFixture,
  type Tenant,
} from "@elastic/coordinator/http/testing/http-fixture.ts";
import { startInstantProver } from "@elastic/coordinator/http/testing/instant-prover.ts";
import { claimTask, failTask, succeedTask } from "@elastic/coordinator/http/testing/run-task.ts";
import { signDelivery } from "@elastic/coordinator/webhooks/sign.ts";
import { FAILURE_REASONS } from "@elastic/proto/failure-reasons.ts";
import { ElasticClient } from "elastic-client";
import { startBrokenLine } from "elastic-client/testing/broken-line.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runPython } from "./run-python.ts";

const { PATH } = process.env;

const BEGIN = `
import asyncio, io, json, os
from elastic_client import *
client = ElasticClient(os.environ["URL"], os.environ["KEY"], retries=RetryPolicy(pause=0.005))
service = os.environ["SERVICE"]
def show(*values):
    print(json.dumps(values))
`;

let api: HttpFixture;
/** A team whose tasks end as they come, and one whose tasks wait for the test. */
let instant: Tenant & { readonly service: string };
let waiting: Tenant & { readonly service: string };

beforeAll(async () => {
  api = await startHttpFixture();
  const tenant = await addTenant(api.store, "instant");
  startInstantProver(api, new Set([tenant.teamId]));
  instant = { ...tenant, service: (await addReadyService(api.store, tenant)).id };
  waiting = { ...api.own, service: (await addReadyService(api.store, api.own)).id };
});
afterAll(() => api.close());

/** What \`show\` was called with, call by call. */
async function python(code: string, of: typeof instant = instant, url: string = api.url): Promise<readonly unknown[]> {
  const printed = await runPython(["-c", BEGIN + code], { PATH, URL: url, KEY: of.key, SERVICE: of.service });
  return printed
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as unknown);
}

test("its own tests pass", async () => {
  await runPython(["-m", "unittest", "discover", "--quiet", "--start-directory", "tests"], { PATH });
});

test("the reasons and the fields of a task are those of the service", async () => {
  const client = new ElasticClient({ url: api.url, key: instant.key });
  const { task } = await client.prove(instant.service, 1);
  const [shown] = await python(`show(list(FAILURE_REASONS), sorted(Task.__annotations__))`);
  expect(shown).toEqual([FAILURE_REASONS, Object.keys(task).sort()]);
});

test("prove returns the result of one task, from a value, a text, bytes, a file, by name and with asyncio", async () => {
  const shown = await python(`
for value in ({"n": 1}, JsonText('{"n": 12345678901234567890.0}'), b"[1]", io.BytesIO(b"[2]"), None):
    proof = client.prove("prover", value, priority=1)
    show(proof.result, proof.task["input"], proof.task["priority"])
async def main():
    aclient = AsyncElasticClient(os.environ["URL"], os.environ["KEY"])
    progress = []
    proof = await aclient.prove(service, [3], on_progress=progress.append)
    tasks = [task async for task in aclient.tasks(page_size=4)]
    show(proof.result, proof.task_id == tasks[0]["task_id"], progress[0].phase)
asyncio.run(main())
`);
  expect(shown).toEqual([
    ["proof", '{"n": 1}', 1],
    ["proof", '{"n": 12345678901234567890.0}', 1],
    ["proof", "[1]", 1],
    ["proof", "[2]", 1],
    ["proof", "null", 1],
    ["proof", true, "queued"],
  ]);
});

test("prove makes one task where responses are lost, and where the service is away for a moment", async () => {
  await using line = await startBrokenLine(api.url);
  line.next("lose the response", { status: 503, headers: { "retry-after": "0" } }, "lose the response");
  const count = `show(len(list(client.tasks(page_size=3))))`;
  const [[before]] = (await python(count)) as [[number]];
  expect(await python(`show(client.prove(service, 1).result)`, instant, line.url)).toEqual([["proof"]]);
  expect(await python(count)).toEqual([[before + 1]]);
  expect(line.requests).toHaveLength(4);
});

test("a file is sent once, and a refusal for load is raised as the service states it", async () => {
  await using line = await startBrokenLine(api.url);
  line.next({ status: 429, headers: { "retry-after": "0" } });
  const shown = await python(
    `
try:
    client.create_task(service, io.BytesIO(b" " * 8_000_000 + b"[3]"))
except ProblemError as error:
    show(error.status, error.retry_after)
`,
    instant,
    line.url,
  );
  expect([shown, line.requests]).toEqual([[[429, "0"]], ["POST /v1/uploads"]]);
});

test("what failed is raised by its kind", async () => {
  await using line = await startBrokenLine(api.url);
  line.next({ status: 302, headers: { location: "http://127.0.0.1:1/" } }, "lose the response");
  const client = new ElasticClient({ url: api.url, key: waiting.key });
  const { task_id: id } = await client.createTask(waiting.service, {}, { idempotencyKey: "to-fail" });
  await claimTask(api, id);
  await failTask(api, id, { reason: "out_of_memory", message: "it took 9 GiB" });
  const shown = await python(
    `
def raised(act):
    try:
        act()
    except ElasticError as error:
        return error
error = raised(lambda: client.get_task("0" * 32))
show(type(error).__name__)
error = raised(lambda: client.request("POST", "/v1/services", body=b'{"service_name":"x"}'))
show(type(error).__name__, error.kind)
error = raised(lambda: client.get_task("0" * 32))
show(type(error).__name__, error.status, error.code, len(error.request_id) > 0)
error = raised(lambda: client.prove(service, {}, idempotency_key="to-fail"))
show(type(error).__name__, error.failure.reason, error.failure.message, error.failure.retryable)
error = raised(lambda: client.prove(service, 2, timeout=0.1, cancel_on_timeout=True))
show(type(error).__name__, isinstance(error, TimeoutError), client.get_task(error.task_id)["phase"])
`,
    waiting,
    line.url,
  );
  expect(shown).toEqual([
    ["UnexpectedResponseError"],
    ["ConnectionFailedError", "unreachable"],
    ["ProblemError", 404, "not_found", true],
    ["TaskFailedError", "out_of_memory", "it took 9 GiB", false],
    ["WaitTimeoutError", true, "cancelled"],
  ]);
});

test("a service that does not respond in time is named as such", async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const shown = await python(`
client = ElasticClient("${url}", "k", timeout=0.1, retries=RetryPolicy(attempts_max=1))
try:
    client.request("GET", "/v1/me")
except ConnectionFailedError as error:
    show(error.kind, str(error))
`);
  silent.closeAllConnections();
  silent.close();
  expect(shown).toEqual([["timeout", `${url} did not respond within 0.1 s.`]]);
});

test("progress is reported over a connection that is cut, each event once, and a long result is fetched", async () => {
  await using line = await startBrokenLine(api.url);
  line.next("pass", { cutAt: "task.started" });
  const stop = api.store.view.tasks.subscribe(({ before, after }) => {
    if (before !== undefined || after?.value.serviceId !== waiting.service) return;
    const { id } = after.value;
    void claimTask(api, id).then(async () => {
      await expect.poll(() => line.requests.filter((one) => one.endsWith("/events")).length).toBe(2);
      await succeedTask(api, id, "é".repeat(5 * 1024 * 1024));
    });
  });
  const shown = await python(
    `
proof = client.prove(service, 7, on_progress=lambda progress: show(progress.phase, progress.attempt))
show(len(proof.result), proof.task["result_omitted"])
`,
    waiting,
    line.url,
  );
  stop();
  expect(shown).toEqual([
    ["queued", 0],
    ["running", 1],
    [5 * 1024 * 1024, true],
  ]);
});

test("what the service signs is verified", async () => {
  const body = '{"type":"webhook.test","timestamp":"t","data":{}}';
  const key = Buffer.alloc(32, 7);
  const headers = JSON.stringify(signDelivery("d1", Date.now(), body, [key]));
  const secret = `whsec_${key.toString("base64")}`;
  const shown = await python(`show(verify_webhook(${JSON.stringify(body)}, ${headers}, "${secret}").type)`);
  expect(shown).toEqual([["webhook.test"]]);
});
