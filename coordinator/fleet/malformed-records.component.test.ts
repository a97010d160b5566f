/** A record without what is decided by, in a real etcd: it stops what it is about, and nothing else. */
import type { Logger } from "@elastic/std/log.ts";
import { createLog } from "@elastic/std/log.ts";
import { type Etcd, startEtcd } from "@elastic/test/cluster/etcd.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Task } from "../domain/task.ts";
import { seesEnoughToLead } from "../scheduler/sees-enough-to-lead.ts";
import { connectEtcd } from "../store/etcd/etcd-kv.ts";
import { type RecordKind, recordKey } from "../store/keys.ts";
import type { Kv } from "../store/kv.ts";
import type { FakeAgent } from "./testing/fake-agent.ts";
import {
  type Coordinator,
  createTask,
  type DeployedService,
  deployService,
  FleetFixture,
  readyAgent,
  seen,
} from "./testing/fleet-fixture.ts";

const log: Logger = createLog({ name: "test", level: "silent" });

let etcd: Etcd;
/** Of whoever writes by hand. */
let kv: Kv;
let fixture: FleetFixture;
let coordinator: Coordinator;

beforeEach(async () => {
  etcd = await startEtcd();
  kv = connect();
  fixture = await FleetFixture.open();
  coordinator = await open();
});
afterEach(async () => {
  await fixture.close();
  await kv.close();
  await etcd[Symbol.asyncDispose]();
});

const connect = () => connectEtcd({ endpoints: [etcd.endpoint], log });

function open(): Promise<Coordinator> {
  return fixture.coordinator({ kv: connect(), canLead: ({ view }) => seesEnoughToLead(view) });
}

/** Returns the way to mend it. */
async function damage(kind: RecordKind, id: string, value: object = {}): Promise<() => Promise<void>> {
  const key = recordKey(kind, id);
  const put = (bytes: Buffer) =>
    kv.txn({ compares: [], puts: [{ key, value: bytes }], deletes: [] }).then(() => undefined);
  const [entry] = (await kv.read([key])).entries;
  if (entry === undefined || entry === null) throw new Error(`there is no ${key}`);
  await put(Buffer.from(JSON.stringify({ op: "by hand", value })));
  return () => put(entry.value);
}

const phaseOf = ({ id }: Task) => coordinator.store.view.tasks.get(id)?.value.phase.kind;
const assignments = () => [...coordinator.store.view.assignments.values()].map(({ value }) => value.id).toSorted();

/** Two services that are up on one node. */
async function twoServices(): Promise<{ agent: FakeAgent; good: DeployedService; bad: DeployedService }> {
  const ready = await readyAgent(fixture, coordinator);
  const bad = await deployService(coordinator.store, { scaling: { min: 1 } });
  await ready.agent.bringUp(2);
  await seen(coordinator.store.view.services, bad.service.id, ({ state }) => state.kind === "ready");
  return { agent: ready.agent, good: ready, bad };
}

test("a service's task runs while another's record, or one that belongs to it, is malformed; the other's runs once it is mended", async () => {
  const { agent, good, bad } = await twoServices();
  const held = assignments();
  const workload = [...coordinator.store.view.assignments.values()].find(
    ({ value }) => value.workload.kind === "deployment" && value.workload.serviceId === bad.service.id,
  );
  const cases = [
    ["services", bad.service.id],
    ["deployments", bad.deployment.id],
    ["workloads", workload?.value.id ?? ""],
  ] as const;
  for (const [kind, id] of cases) {
    const mend = await damage(kind, id);
    await expect.poll(() => coordinator.store.view.malformed([kind])).toBe(1);
    const waiting = await createTask(coordinator.store, bad.service);
    const task = await createTask(coordinator.store, good.service);
    const start = await agent.nextStart();
    expect(start.attempt?.taskId).toBe(task.id);
    await agent.succeed(start.attempt, "done");
    expect([phaseOf(waiting), assignments()]).toEqual(["queued", held]);
    await mend();
    const late = await agent.nextStart();
    expect(late.attempt?.taskId).toBe(waiting.id);
    await agent.succeed(late.attempt, "done");
    await expect.poll(() => phaseOf(waiting)).toBe("succeeded");
  }
  expect(assignments()).toEqual(held);
});

test("a coordinator that comes to lead leaves alone what is malformed, and decides for the rest", async () => {
  const { good, bad } = await twoServices();
  const held = assignments();
  await damage("services", bad.service.id);
  const next = await open();
  await expect.poll(() => next.store.view.malformed(["services"])).toBe(1);
  await coordinator.stop();
  coordinator = next;
  await expect.poll(() => next.leadership.epoch(), { timeout: 10_000 }).not.toBeNull();
  const [other, added] = [fixture.agent(next, "node-b"), await createTask(next.store, good.service)];
  await other.hello();
  const more = await deployService(next.store, { scaling: { min: 1 } });
  await other.bringUp(1);
  await seen(next.store.view.services, more.service.id, ({ state }) => state.kind === "ready");
  expect(assignments()).toEqual(expect.arrayContaining(held));
  expect(phaseOf(added)).toBeDefined();
});

test("what runs on a node is neither requeued nor removed while the node's record is malformed", async () => {
  const { agent, good } = await twoServices();
  const running = await createTask(coordinator.store, good.service);
  await agent.nextStart();
  const held = assignments();
  await damage("nodes", "node-a");
  await expect.poll(() => coordinator.store.view.malformed(["nodes"])).toBe(1);
  const other = fixture.agent(coordinator, "node-b");
  await other.hello();
  // What its services have there cannot be reached: each gets another one.
  await other.bringUp(2);
  const waiting = await createTask(coordinator.store, good.service);
  expect((await other.nextStart()).attempt?.taskId).toBe(waiting.id);
  expect(phaseOf(running)).toBe("running");
  expect(assignments()).toEqual(expect.arrayContaining(held));
});

test("a service at whose record the scheduler fails is counted, and another's task runs", async () => {
  const { agent, good } = await twoServices();
  const nowhere = { nodeLabels: { only: "elsewhere" } };
  const { deployment } = await deployService(coordinator.store, { scaling: { min: 1 }, resources: nowhere });
  // The field that is decided by is there, and nonsense.
  await damage("roll-outs", deployment.id, { id: deployment.id, events: [7, null] });
  const failures = async () =>
    await coordinator.metrics.registry.getSingleMetricAsString("elastic_scheduler_failures_total");
  await expect.poll(failures).toMatch(/of="service"/);
  const task = await createTask(coordinator.store, good.service);
  const start = await agent.nextStart();
  expect(start.attempt?.taskId).toBe(task.id);
  expect(await failures()).not.toMatch(/of="turn"/);
});
