import { newId } from "@elastic/std/ids.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rollOutEvent, type StepFailure, withEvents } from "../../domain/roll-out.ts";
import { deploymentEventSchema, deploymentProgressSchema } from "../../public/deployment-event.ts";
import { replace } from "../../store/change.ts";
import { call } from "../testing/call.ts";
import { readEvents, type SeenEvent } from "../testing/event-reader.ts";
import { type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";

const FAILURE: StepFailure = { step: "checking", reason: "prover_error", message: "no", exitCode: 3, logTail: "log" };

let api: HttpFixture;

beforeAll(async () => {
  api = await startHttpFixture();
});
afterAll(() => api.close());

interface RollingOut {
  readonly id: string;
  readonly events: string;
}

async function deploy(): Promise<RollingOut> {
  const body = JSON.stringify({ service_name: `prover-${newId(Date.now())}` });
  const { json } = await call(`${api.url}/v1/services`, { key: api.own.key, body });
  const deployments = `${json.service_url}/deployments`;
  const deployed = await call(deployments, { key: api.own.key, body: '{"image":"builtin:noop"}' });
  const id = deployed.json.deployment_id;
  return { id, events: `${deployments}/${id}/events` };
}

async function happen(id: string, ...events: Parameters<typeof rollOutEvent>[]): Promise<void> {
  const before = await api.store.get("roll-outs", id);
  if (before === null) throw new Error("no such roll-out");
  const after = withEvents(
    before.value,
    events.map((event) => rollOutEvent(...event)),
  );
  await api.store.commit([replace("roll-outs", before, after)]);
}

const types = (events: readonly SeenEvent[]) => events.map(({ id, type }) => [id, type]);

test("sends the events of a roll-out from the request to its end, as they happen", async () => {
  const { id, events } = await deploy();
  const seen = await readEvents(events, {
    key: api.own.key,
    onEvent: ({ type }) => {
      if (type === "deployment.resolved") void happen(id, ["placed", Date.now()], ["pulled", Date.now(), { bytes: 7 }]);
      if (type === "deployment.pulled") void happen(id, ["failed", Date.now(), { failure: FAILURE }]);
    },
  });
  expect(types(seen)).toEqual([
    [0, "deployment.received"],
    [1, "deployment.resolved"],
    [2, "deployment.placed"],
    [3, "deployment.pulled"],
    [4, "deployment.failed"],
  ]);
  expect(seen[4]?.data).toMatchObject({
    failure: { stage: "checking", reason: "prover_error", message: "no", exit_code: 3, log_tail: "log" },
  });
  for (const { data } of seen) expect(deploymentEventSchema.safeParse(data).error).toBeUndefined();
});

test("a client whose connection broke resumes after the last event it saw, and gets 204 after the last of all", async () => {
  const { id, events } = await deploy();
  const { key } = api.own;
  expect(types(await readEvents(events, { key, cutAfter: 1 }))).toEqual([[0, "deployment.received"]]);
  await happen(id, ["ready", Date.now()]);
  const rest = await readEvents(events, { key, headers: { "last-event-id": "0" } });
  expect(types(rest)).toEqual([
    [1, "deployment.resolved"],
    [2, "deployment.ready"],
  ]);
  expect((await call(events, { key, headers: { "last-event-id": "2" } })).status).toBe(204);
  expect((await call(events, { key, headers: { "last-event-id": "9" } })).status).toBe(422);
});

test("sends the progress of a pull without an id, to those who follow at that time", async () => {
  const { id, events } = await deploy();
  const seen = await readEvents(events, {
    key: api.own.key,
    onEvent: ({ type }) => {
      // Once all events so far have been read.
      if (type === "deployment.resolved") {
        setImmediate(() =>
          api.starts.set(
            { id: "a", workload: { kind: "deployment", deploymentId: id, serviceId: "s" } },
            { step: "pulling", doneBytes: 5, totalBytes: 9, warning: "", logTail: "" },
          ),
        );
      }
      if (type === "deployment.progress") void happen(id, ["ready", Date.now()]);
    },
  });
  expect(types(seen)).toEqual([
    [0, "deployment.received"],
    [1, "deployment.resolved"],
    [null, "deployment.progress"],
    [2, "deployment.ready"],
  ]);
  expect(seen[2]?.data).toMatchObject({ stage: "pulling", done_bytes: 5, total_bytes: 9 });
  expect(deploymentProgressSchema.safeParse(seen[2]?.data).error).toBeUndefined();
});

test("a prover that runs and is not healthy is shown with its warning and its log, until it is", async () => {
  const { id, events } = await deploy();
  const starting = async () => (await call(events.replace(/\/events$/, ""), { key: api.own.key })).json.starting;
  expect(await starting()).toBeNull();
  api.starts.set(
    { id: "b", workload: { kind: "deployment", deploymentId: id, serviceId: "s" } },
    { step: "checking", doneBytes: 0, totalBytes: 0, warning: "it listens on port 3000", logTail: "up\n" },
  );
  expect(await starting()).toEqual({ warning: "it listens on port 3000", log_tail: "up\n" });
  await happen(id, ["failed", Date.now(), { failure: FAILURE }]);
  expect(await starting()).toBeNull();
});

test("another team's roll-out, and one of no deployment, are not found", async () => {
  const { events } = await deploy();
  expect((await call(events, { key: api.other.key })).status).toBe(404);
  const unknown = events.replace(/[0-9a-f]{32}\/events$/, `${newId(1)}/events`);
  expect((await call(unknown, { key: api.own.key })).status).toBe(404);
});
