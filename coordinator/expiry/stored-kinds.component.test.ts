/** What docs/stored-data.md names for each kind of record removes it, driven as if years had passed. */
import { WorkloadPhase } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { newId } from "@elastic/std/ids.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { moveAuditEntries } from "../archive/audit-mover.ts";
import { breakerChanged } from "../domain/circuit-breaker.ts";
import { lost } from "../domain/node.ts";
import { released } from "../domain/pool-machine.ts";
import { orderRequeue } from "../domain/requeue-order.ts";
import { deleted } from "../domain/service.ts";
import { aNode, anAgentUpgrade, aPool, aPoolMachine, aPoolToken } from "../domain/testing/records.ts";
import { makeJoinToken } from "../enrollment/make-join-token.ts";
import { FleetFixture, readyAgent } from "../fleet/testing/fleet-fixture.ts";
import { call } from "../http/testing/call.ts";
import {
  addTenant,
  type HttpFixture,
  SOURCE_HOST,
  startHttpFixture,
  type Tenant,
} from "../http/testing/http-fixture.ts";
import { moveEnded } from "../http/testing/move-tasks.ts";
import { claimTask, succeedTask } from "../http/testing/run-task.ts";
import { type TenantThings, tenantThings } from "../http/testing/tenant-things.ts";
import { renewCredentials } from "../source-hosts/renew-loop.ts";
import { sealCredential } from "../source-hosts/seal-credential.ts";
import { create, remove, replace } from "../store/change.ts";
import { ALL_RECORD_KINDS, parseAnyRecordKey, type RecordKind } from "../store/keys.ts";
import { tidy } from "../webhooks/tidy-loop.ts";
import { removeOfDeletedTeam } from "./deleted-teams.ts";
import { removeOfDeletedUser } from "./deleted-users.ts";
import { forget } from "./forget-loop.ts";

const YEAR_MS = 365 * 86_400_000;
/** As many rounds of each loop as are enough: what one removes lets another remove more. */
const ROUNDS = 10;

/** By the scheduler and with the image: `assignments` and `workloads` below, images in registry/unused/. */
const ELSEWHERE: readonly RecordKind[] = ["assignments", "workloads", "registry-images"];
/** Whatever becomes of their teams and users. */
const BY_TIME: readonly RecordKind[] = [
  "tasks",
  "audit-entries",
  "batches",
  "builds",
  "deliveries",
  "device-codes",
  "idempotency-keys",
  "lost-tasks",
  "pool-machines",
  "pool-tokens",
  "source-deliveries",
  "source-grants",
  "terminal-tickets",
  "uploads",
  "used-logins",
];
/** One in all each, which the next replaces. */
const ONE_IN_ALL: readonly RecordKind[] = ["requeue-orders", "circuit-breakers", "agent-upgrades"];

let api: HttpFixture;

beforeAll(async () => {
  api = await startHttpFixture();
});
afterAll(() => api.close());

async function kinds(): Promise<readonly RecordKind[]> {
  const { entries } = await api.kv.range("/elastic/v1/", { limit: 100_000 });
  const found = entries.flatMap(({ key }) => parseAnyRecordKey(key)?.kind ?? []);
  return [...new Set(found)].toSorted();
}

/** What a tenant has besides what requests name. */
async function addTheRest({ key, userId }: Tenant, things: TenantThings): Promise<void> {
  const now = Date.now();
  const headers = { "idempotency-key": "once", "content-type": "application/json" };
  const { json } = await call(`${api.url}/v1/services/${things.services}`, { key, body: '{"input":1}', headers });
  await claimTask(api, json.task_id);
  await succeedTask(api, json.task_id, "proof");
  await call(`${api.url}/v1/services`, { key, body: '{"service_name":"named"}' });
  const { connections: connectionId = "", repositories: repositoryId = "" } = things;
  const credential = { secret: "s", expiresAt: now + YEAR_MS };
  const of = { connectionId, repositoryId, host: SOURCE_HOST.name };
  const breaker = breakerChanged(undefined, true, now);
  const pool = aPool();
  const lostNode = { ...lost(aNode("lost"), now), enrolmentId: "e", certificateEndsAt: now };
  await api.store.commit([
    create("terminal-tickets", { id: newId(now), userId, keyId: "k", shellId: "s", secretSha256: "", createdAt: now }),
    create("used-logins", { id: newId(now), startedAt: now }),
    create("source-deliveries", { id: newId(now), receivedAt: now }),
    create("source-credentials", sealCredential(api.secrets, credential, of, now)),
    create("lost-tasks", { id: newId(now), nodeId: "lost", attempt: 1, storeEpoch: 1, from: "open", reportedAt: now }),
    create("nodes", lostNode),
    create("pools", pool),
    create("pool-machines", released(aPoolMachine(pool), now)),
    create("pool-tokens", aPoolToken(pool)),
    create("agent-upgrades", anAgentUpgrade()),
    create("requeue-orders", orderRequeue(userId, now)),
    ...(breaker === null ? [] : [create("circuit-breakers", breaker)]),
  ]);
}

/** What the leader does now and then, at a time. */
async function driveLoops(aheadMs: number): Promise<void> {
  const { kv, store, archive, logs, secrets, metrics, options } = api;
  const { log } = options;
  const clock = { now: () => Date.now() + aheadMs, monotonicMs: () => performance.now() + aheadMs };
  const webhooks = { store, secrets, egress: options.egress, describe: async () => null, clock, log, metrics };
  const removing = { kv, store, archive, logs, clock, log, auditRetentionMs: YEAR_MS };
  for (let round = 0; round < ROUNDS; round++) {
    await moveEnded(api);
    await moveAuditEntries({ store, archive }, () => true);
    await forget({ kv, store, logs, clock, log });
    await tidy(webhooks);
    await renewCredentials({ kv, store, hosts: [SOURCE_HOST], secrets, clock, log });
    for (const team of [...store.view.teams.values()]) await removeOfDeletedTeam(removing, team);
    for (const user of [...store.view.users.values()]) await removeOfDeletedUser(removing, user);
  }
  await makeJoinToken(store, { nodeName: null, seconds: 60, creatorId: null }, clock);
}

test("removes records of every kind: some by time alone, all others once their teams and users are deleted", async () => {
  const { store } = api;
  const tenant = await addTenant(store, "ada");
  const things = await tenantThings(api, tenant);
  await addTheRest(tenant, things);
  expect(await kinds()).toEqual(ALL_RECORD_KINDS.filter((kind) => !ELSEWHERE.includes(kind)).toSorted());

  await driveLoops(YEAR_MS);
  const left = await kinds();
  expect(BY_TIME.filter((kind) => left.includes(kind))).toEqual([]);

  const at = Date.now();
  for (const team of [...store.view.teams.values()])
    await store.commit([replace("teams", team, { ...team.value, deleted: { at, byUserId: tenant.userId } })]);
  for (const node of [...store.view.nodes.values()])
    await store.commit([replace("nodes", node, { ...lost(node.value, at), certificateEndsAt: at })]);
  for (const pool of [...store.view.pools.values()]) await store.commit([remove("pools", pool)]);
  for (const user of [...store.view.users.values()])
    await store.commit([replace("users", user, { ...user.value, deleted: { at } })]);
  await driveLoops(3 * YEAR_MS);
  expect(await kinds()).toEqual([...ONE_IN_ALL, "join-tokens"].toSorted());
  expect([...store.view.joinTokens.values()]).toHaveLength(1);
});

test("removes what a machine had of a deleted service, once the machine reports that it has ended", async () => {
  const fixture = await FleetFixture.open();
  const coordinator = await fixture.coordinator();
  const { agent, service, assignmentId } = await readyAgent(fixture, coordinator);
  const { store } = coordinator;
  const held = () => [store.view.assignments.get(assignmentId), store.view.workloads.get(assignmentId)];
  expect(held()).toEqual([expect.anything(), expect.anything()]);
  const read = await store.get("services", service.id);
  if (read === null) throw new Error("no service");
  await store.commit([replace("services", read, deleted(read.value, Date.now()))]);
  await agent.bringUp(0);
  agent.reportWorkload(assignmentId, WorkloadPhase.WORKLOAD_PHASE_STOPPED);
  await expect.poll(held).toEqual([undefined, undefined]);
  await fixture.close();
});
