/** `elastic listen` before the service's own HTTP interface: what a program on this machine receives. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { newDelivery } from "@elastic/coordinator/domain/delivery.ts";
import { messageOf } from "@elastic/coordinator/domain/delivery-message.ts";
import { rollOutEvent, withEvents } from "@elastic/coordinator/domain/roll-out.ts";
import { rolledOut } from "@elastic/coordinator/domain/service.ts";
import { succeed, type Task } from "@elastic/coordinator/domain/task.ts";
import { aWebhook } from "@elastic/coordinator/domain/testing/records.ts";
import type { EventType } from "@elastic/coordinator/domain/webhook.ts";
import {
  addReadyService,
  addTenant,
  type HttpFixture,
  startHttpFixture,
  type Tenant,
} from "@elastic/coordinator/http/testing/http-fixture.ts";
import { claimTask, failTask, succeedTask } from "@elastic/coordinator/http/testing/run-task.ts";
import { startSecondCoordinator } from "@elastic/coordinator/http/testing/second-coordinator.ts";
import { eventData } from "@elastic/coordinator/public/event-data.ts";
import { replace } from "@elastic/coordinator/store/change.ts";
import { taskChanges } from "@elastic/coordinator/store/task-end.ts";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { BUNDLED_COMMAND } from "elastic-cli/testing/bundled-command.ts";
import { ElasticClient, verifyWebhook } from "elastic-client";
import { startBrokenLine } from "elastic-client/testing/broken-line.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const MILLISECONDS = /("timestamp":"[^"]*)\.\d{3}Z/;

interface Received {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

let api: HttpFixture;
let tenant: Tenant;
let client: ElasticClient;
let serviceId: string;
/** By the local program, which responds with `status`. */
let received: Received[];
let status = 204;
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
  response.writeHead(status).end("text of the response");
});

beforeAll(async () => {
  api = await startHttpFixture();
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  receiver.close();
  await api.close();
});
beforeEach(async () => {
  tenant = await addTenant(api.store, "listen");
  client = new ElasticClient({ url: api.url, key: tenant.key });
  serviceId = (await addReadyService(api.store, tenant)).id;
  received = [];
  status = 204;
});

interface Listening extends AsyncDisposable {
  /** Lines of the output. */
  lines(): readonly string[];
  errors(): string;
}

async function listen(args: readonly string[] = [], url: string = api.url): Promise<Listening> {
  const forward = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  const command = ["listen", "--service", serviceId, "--forward", forward, "--secret", SECRET, ...args];
  const env = { PATH: process.env.PATH, ELASTIC_URL: url, ELASTIC_API_KEY: tenant.key, ELASTIC_CONFIG_DIR: "/none" };
  const child = spawn(process.execPath, ["--", BUNDLED_COMMAND, ...command], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = once(child, "close");
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (text) => {
      output[name] += text;
    });
  }
  await expect.poll(() => output.stderr).toContain(SECRET);
  return {
    lines: () => output.stdout.split("\n").filter((line) => line !== ""),
    errors: () => output.stderr,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGINT");
      expect((await closed)[0]).toBe(130);
    },
  };
}

/** As the coordinators end it, with the deliveries of its webhooks. */
async function endWithDeliveries(id: string): Promise<void> {
  await claimTask(api, id);
  const read = await api.store.get("tasks", id);
  if (read === null) throw new Error("there is no task");
  const result = {
    bytes: 0,
    sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    where: "store",
  } as const;
  await api.store.commit(taskChanges(api.store.view, read, succeed(read.value, result, 5, Date.now())));
}

/** What a webhook would post for the end of a task. */
async function expectedBody(id: string): Promise<string> {
  const task = (await api.store.get("tasks", id))?.value as Task & { readonly phase: { readonly finishedAt: number } };
  const type = `task.${task.phase.kind}` as EventType;
  const webhook = aWebhook({ id: serviceId });
  const delivery = newDelivery(id, webhook, { type, subjectId: id, createdAt: task.phase.finishedAt });
  const source = { ...api.options, publicUrl: () => api.url };
  return (await messageOf(delivery, (of, bytesMax) => eventData(source, of, bytesMax))) ?? "";
}

const wholeSeconds = (body: string | undefined): string => (body ?? "").replace(MILLISECONDS, "$1.000Z");

test("a service without webhooks: what ends is posted as a webhook would post it", async () => {
  await using listening = await listen();
  const short = (await client.createTask(serviceId, { n: 1 })).task_id;
  await claimTask(api, short);
  await succeedTask(api, short, "\u2028 a proof");
  await expect.poll(() => received.length).toBe(1);
  const long = (await client.createTask(serviceId, "x".repeat(30_000))).task_id;
  await claimTask(api, long);
  await succeedTask(api, long, "y".repeat(20_000));
  await expect.poll(() => received.length).toBe(2);
  const failed = (await client.createTask(serviceId, 3)).task_id;
  await claimTask(api, failed);
  await failTask(api, failed, { message: "no", logTail: "\u0001".repeat(512) });
  await expect.poll(() => received.length).toBe(3);
  for (const [index, id] of [short, long, failed].entries()) {
    const { body = "", headers = {} } = received[index] ?? {};
    expect(body).toBe(wholeSeconds(await expectedBody(id)));
    expect(headers).toMatchObject({ "content-type": "application/json", "user-agent": "elastic-webhooks" });
    expect((await verifyWebhook(body, headers, SECRET)).id).toMatch(/^[0-9a-f]{32}$/);
  }
  await expect.poll(() => listening.lines()).toHaveLength(3);
  expect(listening.lines()[2]).toMatch(new RegExp(`^task\\.failed +${failed} {2}204 in \\d+ ms$`));
});

test("a service with webhooks: their very deliveries, an event of two once, and tests", async () => {
  const create = async (name: string): Promise<string> => {
    const body = JSON.stringify({ name, url: "https://93.184.216.34/" });
    const made = await client.request({ method: "POST", path: `/v1/services/${serviceId}/webhooks`, body });
    return (made as { webhook_id: string }).webhook_id;
  };
  const [first] = [await create("a"), await create("b")];
  const before = (await client.createTask(serviceId, 0)).task_id;
  await endWithDeliveries(before);
  await using listening = await listen(["--json"]);
  const { task_id: id } = await client.createTask(serviceId, 1);
  await endWithDeliveries(id);
  await expect.poll(() => received.length).toBe(1);
  status = 500;
  await client.request({ method: "POST", path: `/v1/webhooks/${first}/test` });
  await expect.poll(() => listening.lines()).toHaveLength(2);
  const shown = listening.lines().map((line) => JSON.parse(line));
  expect(shown).toMatchObject([
    { type: "task.succeeded", subject_id: id, status: 204, error: null },
    { type: "webhook.test", subject_id: first, status: 500, error: null },
  ]);
  for (const [index, { webhook_id: deliveryId }] of shown.entries()) {
    const delivery = await client.request({ method: "GET", path: `/v1/deliveries/${deliveryId}` });
    const { request } = delivery as { request: Received };
    expect(received[index]?.body).toBe(request.body);
    expect(received[index]?.headers).toMatchObject(request.headers);
  }
  expect(received).toHaveLength(2);
});

test("what happens during a cut is posted once, by the stream and by lists, in order", async () => {
  await using line = await startBrokenLine(api.url);
  await using listening = await listen([], line.url);
  const ids: string[] = [];
  const prove = async (): Promise<void> => {
    const { task_id: id } = await client.createTask(serviceId, ids.length);
    ids.push(id);
    await claimTask(api, id);
    await succeedTask(api, id, `proof ${ids.length}`);
  };
  const subjects = (): readonly string[] => received.map(({ body }) => JSON.parse(body).data.task_id);
  await prove();
  await expect.poll(subjects).toEqual(ids);
  // The event resumes after the last one that came, and the record is read once the service responds again.
  const away = { status: 503, headers: { "retry-after": "0" } };
  line.next(away, "pass", away, "lose the response");
  line.cut();
  await prove();
  await expect.poll(subjects).toEqual(ids);
  // A coordinator that began later knows nothing of what was before.
  const open = (await client.createTask(serviceId, "open")).task_id;
  await expect.poll(async () => (await client.getTask(open)).phase).toBe("queued");
  line.leadTo("http://127.0.0.1:1");
  line.cut();
  await prove();
  await claimTask(api, open);
  await succeedTask(api, open, "of the one that was open");
  ids.splice(-1, 0, open);
  await using second = await startSecondCoordinator(api);
  line.leadTo(second.url);
  await expect.poll(() => subjects().toSorted(), { timeout: 20_000 }).toEqual(ids.toSorted());
  expect(listening.errors()).toContain("Trying again in");
});

test("events are chosen by type, a deployment's end is one, and what nothing accepts is shown", async () => {
  await using listening = await listen(["--events", "deployment.ready,task.failed"]);
  const nowhere = `http://127.0.0.1:${await freePort()}/`;
  await using unanswered = await listen(["--forward", nowhere, "--events", "task.succeeded"]);
  const { task_id: id } = await client.createTask(serviceId, 1);
  await claimTask(api, id);
  await succeedTask(api, id, "left out");
  await client.request({
    method: "POST",
    path: `/v1/services/${serviceId}/deployments`,
    body: JSON.stringify({ image: "builtin:noop" }),
  });
  const service = await api.store.get("services", serviceId);
  const rollOutId = service?.value.nextDeploymentId ?? "";
  const rollOut = await api.store.get("roll-outs", rollOutId);
  if (service === null || rollOut === null) throw new Error("there is no roll-out");
  await api.store.commit([
    replace("services", service, rolledOut(service.value)),
    replace("roll-outs", rollOut, withEvents(rollOut.value, [rollOutEvent("ready", Date.now())])),
  ]);
  await expect.poll(() => received.length).toBe(1);
  const { type, data } = JSON.parse(received[0]?.body ?? "");
  expect([type, data.deployment_id, data.stage]).toEqual(["deployment.ready", rollOutId, "ready"]);
  await expect.poll(() => listening.lines()).toHaveLength(1);
  await expect
    .poll(() => unanswered.lines())
    .toEqual([`task.succeeded     ${id}  not accepted: nothing listens there`]);
});
