import { systemClock } from "@elastic/std/clock.ts";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { NO_CLAIMS } from "../../domain/claim-at-creation.ts";
import { deleted, type Service } from "../../domain/service.ts";
import { claim, type Task } from "../../domain/task.ts";
import { replace } from "../../store/change.ts";
import { LEADER_KEY } from "../../store/keys.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { addReadyService, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";

const PLACE = { nodeId: "node", sessionId: "session", assignmentId: "assignment" };

let api: HttpFixture;
let service: Service;
let epoch: number;
/** What became of the places that were given. */
let settled: string[] = [];

beforeAll(async () => {
  api = await startHttpFixture();
});
afterAll(() => api.close());
beforeEach(async () => {
  service = await addReadyService(api.store, api.own);
  const leader = { compares: [], puts: [{ key: LEADER_KEY, value: Buffer.from("me") }], deletes: [] };
  epoch = (await api.kv.txn(leader)).revision;
  settled = [];
});
afterEach(() => {
  api.claims = NO_CLAIMS;
  api.kv.faults.away = false;
});

/** As the scheduler of the process that leads, or believes to. */
function givePlaces(ofEpoch = epoch, before: (task: Task) => void = () => undefined): void {
  api.claims = {
    reserve: (task) => {
      before(task);
      return {
        task: claim(task, PLACE, systemClock.now()),
        epoch: ofEpoch,
        confirm: () => settled.push("confirmed"),
        release: () => settled.push("released"),
      };
    },
  };
}

function post(): Promise<CallResponse> {
  return call(`${api.url}/v1/services/${service.id}`, { key: api.own.key, body: '{"input":{"n":1}}' });
}

test("a task for which there is a place is created as running, and is still shown as PENDING", async () => {
  givePlaces();
  const { status, json } = await post();
  expect([status, json.state, json.phase, json.started]).toEqual([201, "PENDING", "running", null]);
  const stored = await api.store.get("tasks", json.task_id);
  expect(stored?.value).toMatchObject({ attempts: { started: 1 }, phase: { kind: "running", ...PLACE } });
  expect((await api.store.bytes("input", json.task_id))?.toString()).toBe('{"n":1}');
  expect(settled).toEqual(["confirmed"]);
});

test("a place of a leader that was deposed is released, and the task queues", async () => {
  givePlaces(epoch - 1);
  const { status, json } = await post();
  expect([status, json.phase]).toEqual([201, "queued"]);
  expect((await api.store.get("tasks", json.task_id))?.value.attempts.started).toBe(0);
  expect(settled).toEqual(["released"]);
});

test("a service that is deleted in between gets no task, place or not", async () => {
  const read = await api.store.get("services", service.id);
  if (read === null) throw new Error("the service is there");
  // Sent in the same turn and before the creation, which then meets another revision.
  givePlaces(epoch, () => void api.store.commit([replace("services", read, deleted(service, 1))]));
  const { status, json } = await post();
  expect([status, json.code]).toEqual([409, "service_not_ready"]);
  expect(settled).toEqual(["released"]);
});

test("while the store is away a place is released, and nothing is accepted", async () => {
  givePlaces(epoch, () => {
    api.kv.faults.away = true;
  });
  const { status } = await post();
  expect([status, settled]).toEqual([503, ["released"]]);
});

test("whoever receives a task that runs from its creation finds its input", async () => {
  const { store } = api;
  let input: Promise<Buffer | null> = Promise.resolve(null);
  const stop = store.view.tasks.subscribe(({ id }) => {
    api.kv.faults.away = true;
    input = store.bytes("input", id);
  });
  givePlaces();
  await post();
  stop();
  expect((await input)?.toString()).toBe('{"n":1}');
});
