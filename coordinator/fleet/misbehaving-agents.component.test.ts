/** What no agent sends, of a node with a valid certificate: it is refused and counted, and a node that repeats it is quarantined. */
import { type AttemptRef, AttemptReport } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { BuildReport } from "@elastic/proto/gen/elastic/fleet/v1/build.ts";
import { ConnectRequest, Heartbeat, type Hello, LogChunk } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { GpuReading, Inventory } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import { type WorkloadPhase, WorkloadReport } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { REPORTS_A_MESSAGE_MAX } from "@elastic/proto/message-limits.ts";
import { newId } from "@elastic/std/ids.ts";
import { status } from "@grpc/grpc-js";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resume } from "../domain/node-drain.ts";
import { updateRecord } from "../store/update.ts";
import { UNKNOWN_ATTEMPTS_MAX, VIOLATIONS_MAX } from "./limits.ts";
import type { ViolationOf } from "./refusal.ts";
import type { FakeAgent } from "./testing/fake-agent.ts";
import { createTask, deployService, seen } from "./testing/fleet-fixture.ts";
import { sendRaw } from "./testing/raw-link.ts";
import { type ReadyFleet, startReadyFleet } from "./testing/ready-fleet.ts";

const PATH = "../../etc/passwd";
const SHA256 = "0".repeat(64);
const NOT_FOUND = { code: status.NOT_FOUND };
const INVALID = { code: status.INVALID_ARGUMENT };

let fleet: ReadyFleet;
const logged: { readonly msg: string; readonly nodeId?: string; readonly why?: string }[] = [];
let victims: AttemptRef;
let nodes = 0;

beforeAll(async () => {
  fleet = await startReadyFleet({}, pino({}, { write: (line) => void logged.push(JSON.parse(line)) }));
  await createTask(fleet.coordinator.store, fleet.service, '{"secret":1}');
  const start = await fleet.agent.nextStart();
  if (start.attempt === undefined) throw new Error("the start names no attempt");
  victims = start.attempt;
});
afterAll(() => fleet.fixture.close());

function unlinked(): FakeAgent {
  nodes += 1;
  return fleet.fixture.agent(fleet.coordinator, `bad-${nodes}`);
}

async function linked(): Promise<FakeAgent> {
  const agent = unlinked();
  await agent.hello({ slots: 0 });
  return agent;
}

async function violations(of?: ViolationOf): Promise<number> {
  const metric = await fleet.coordinator.metrics.registry.getSingleMetric("elastic_agent_violations_total")?.get();
  const counted = metric?.values.filter(({ labels }) => of === undefined || labels.of === of) ?? [];
  return counted.reduce((sum, { value }) => sum + value, 0);
}

/** All that is the other node's, or of no node. */
function othersThings(): unknown {
  const { view } = fleet.coordinator.store;
  const kinds = [view.tasks, view.assignments, view.workloads, view.builds, view.lostTasks];
  return structuredClone([view.nodes.get("node-a"), ...kinds.map((kind) => [...kind.values()])]);
}

const malformed = (): AttemptRef => ({ taskId: PATH, number: 1, token: { storeEpoch: 1n, revision: 1n } });
const neverStarted = (): AttemptRef => ({ ...victims, number: 99 });
const failed = (attempt: AttemptRef) => {
  const outcome = { $case: "failed", value: { reason: "prover_error", message: "", logTail: "" } } as const;
  return AttemptReport.fromPartial({ attempt, outcome });
};
const report = (attempt: AttemptRef) => ({
  $case: "attemptReports" as const,
  value: { reports: [failed(attempt)] },
});
const progress = (attempt: AttemptRef, fraction: number): ConnectRequest["message"] => ({
  $case: "attemptProgress",
  value: { progresses: [{ attempt, fraction, message: "" }] },
});
const workload = (assignmentId: string, phase: number) =>
  ({
    $case: "workloadReport",
    value: WorkloadReport.fromPartial({ assignmentId, phase: phase as WorkloadPhase }),
  }) as const;
const heartbeat = (given: Partial<Heartbeat>) =>
  ({ $case: "heartbeat", value: Heartbeat.fromPartial({ sequence: 1n, ...given }) }) as const;
const build = (assignmentId: string) =>
  ({ $case: "buildReport", value: BuildReport.fromPartial({ assignmentId }) }) as const;
const piece = (attempt: AttemptRef) => LogChunk.fromPartial({ attempt, data: Buffer.from("forged") });
const encoded = (message: ConnectRequest["message"]) => Buffer.from(ConnectRequest.encode({ message }).finish());
const raw = (bytes: Buffer) => {
  nodes += 1;
  return sendRaw(fleet.coordinator.fleet.address, fleet.fixture.ca.node(`bad-${nodes}`), bytes);
};

type Case = readonly [what: string, of: ViolationOf, send: () => Promise<unknown>];

const hello = (what: string, given: Partial<Hello>, code = status.INVALID_ARGUMENT): Case => [
  what,
  "hello",
  () => expect(unlinked().hello(given)).rejects.toMatchObject({ code }),
];
/** The link stays. */
const sent = (what: string, of: ViolationOf, message: () => ConnectRequest["message"]): Case => [
  what,
  of,
  async () => {
    const agent = await linked();
    agent.send(message());
    await agent.heartbeat();
  },
];
const ending = (what: string, message: () => ConnectRequest["message"]): Case => [
  what,
  "message",
  async () => {
    const agent = await linked();
    agent.send(message());
    expect(await agent.ended()).toMatchObject(INVALID);
  },
];
const called = (what: string, of: ViolationOf, call: (agent: FakeAgent) => Promise<unknown>, code: status): Case => [
  what,
  of,
  async () => expect(call(await linked())).rejects.toMatchObject({ code }),
];

const GPU = { uuid: "GPU-1", model: "H100", memoryBytes: 1n };
const CASES: readonly Case[] = [
  hello("a hello of another node", { nodeId: "node-a" }, status.UNAUTHENTICATED),
  hello("a hello with a GPU twice", { inventory: Inventory.fromPartial({ slots: 2, gpus: [GPU, GPU] }) }),
  hello("a session id that is a path", { sessionId: PATH }),
  [
    "a report before the hello",
    "message",
    async () => {
      const agent = unlinked();
      agent.send(report(victims));
      expect(await agent.ended()).toMatchObject(INVALID);
    },
  ],
  [
    "a second hello",
    "message",
    async () => {
      const agent = await linked();
      await expect(agent.hello()).rejects.toMatchObject(INVALID);
    },
  ],
  [
    "bytes that are no message",
    "message",
    async () =>
      expect(await raw(Buffer.from("ffffffffffffffffffff01", "hex"))).toMatchObject({ code: status.INTERNAL }),
  ],
  [
    "a message of 10 MB",
    "message",
    async () => expect(await raw(Buffer.alloc(10_000_000))).toMatchObject({ code: status.RESOURCE_EXHAUSTED }),
  ],
  [
    "a million entries, before its hello",
    "message",
    async () => {
      const gpuReadings = Array.from({ length: 1_000_000 }, () => GpuReading.fromPartial({}));
      expect(await raw(encoded(heartbeat({ gpuReadings })))).toMatchObject(INVALID);
    },
  ],
  ending("more GPU readings than a machine has GPUs", () =>
    heartbeat({ gpuReadings: Array.from({ length: 129 }, () => GpuReading.fromPartial({ uuid: "GPU-1" })) }),
  ),
  sent("an acknowledgement of what was not sent", "acknowledgement", () => heartbeat({ acknowledgedSequence: 9n })),
  [
    "a hello that runs what is no attempt, and another node's",
    "attempt",
    async () => {
      await unlinked().hello({ slots: 0, attempts: [malformed()] });
      await unlinked().hello({ slots: 0, attempts: [victims] });
    },
  ],
  [
    "a hello that runs another node's workload",
    "workload",
    () => unlinked().hello({ slots: 0, workloads: [workload(fleet.assignmentId, 3).value] }),
  ],
  sent("the end of a path", "attempt", () => report(malformed())),
  sent("the end of another node's attempt", "attempt", () => report(victims)),
  sent("the end of an attempt that was never started", "attempt", () => report(neverStarted())),
  sent("an earlier store's end of a path", "attempt", () => ({
    $case: "endedAttempts",
    value: { attempts: [malformed()] },
  })),
  sent("another node's workload", "workload", () => workload(fleet.assignmentId, 4)),
  sent("the workload of a path", "workload", () => workload(PATH, 3)),
  sent("no phase", "workload", () => workload(newId(1), 0)),
  sent("a negative phase", "workload", () => workload(newId(1), -7)),
  sent("a phase of no version", "workload", () => workload(newId(1), 1_000_000)),
  sent("the build of a path", "build", () => build(PATH)),
  sent("another node's build", "build", () => build(fleet.assignmentId)),
  sent("the progress of a path", "progress", () => progress(malformed(), 0.5)),
  sent("a progress that is no number", "progress", () => progress(victims, Number.NaN)),
  sent("the progress of another node's attempt", "progress", () => progress(victims, 0.9)),
  ["the log of a path", "logs", async () => (await linked()).bulk.appendLogs([piece(malformed())])],
  ["another node's log", "logs", async () => (await linked()).bulk.appendLogs([piece(victims)])],
  called(
    "a result named by a path",
    "upload",
    (agent) => {
      return agent.bulk.upload({ attempt: victims, sizeBytes: 1n, sha256: PATH }, []);
    },
    status.INVALID_ARGUMENT,
  ),
  called(
    "the result of a path",
    "request",
    (agent) => {
      return agent.bulk.upload({ attempt: malformed(), sizeBytes: 1n, sha256: SHA256 }, []);
    },
    status.NOT_FOUND,
  ),
  called(
    "the result of another node's attempt",
    "attempt",
    (agent) => {
      return agent.bulk.upload({ attempt: victims, sizeBytes: 1n, sha256: SHA256 }, []);
    },
    status.NOT_FOUND,
  ),
  called("a request of a path's input", "request", (agent) => agent.bulk.fetchInput(malformed()), status.NOT_FOUND),
  called("a request of another's input", "attempt", (agent) => agent.bulk.fetchInput(victims), status.NOT_FOUND),
  called("a request of a path's source", "request", (agent) => agent.bulk.fetchBuildSource(PATH), status.NOT_FOUND),
  called(
    "a request of a file by a path",
    "request",
    (agent) => {
      return agent.bulk.fetchVolumeFile(fleet.assignmentId, PATH);
    },
    status.NOT_FOUND,
  ),
  [
    "a request of a path's images",
    "request",
    async () => {
      await expect((await linked()).pullToken(PATH)).rejects.toMatchObject(NOT_FOUND);
    },
  ],
];

test.each(CASES)("refuses %s, and counts it of the node alone", async (_, of, send) => {
  const before = { count: await violations(of), things: othersThings() };
  await send();
  await expect.poll(() => violations(of)).toBeGreaterThan(before.count);
  await fleet.agent.heartbeat();
  expect(othersThings()).toEqual(before.things);
});

describe("a node that repeats it", () => {
  const nodeOf = (agent: FakeAgent) => fleet.coordinator.store.view.nodes.get(agent.nodeId)?.value;
  const repeat = async (agent: FakeAgent, times: number) => {
    for (let sent = 0; sent < times; sent++) agent.send(report(victims));
    await agent.heartbeat();
  };

  test("is quarantined with a reason and an audit entry, takes no work, and works once an operator resumes it", async () => {
    const { store } = fleet.coordinator;
    const agent = unlinked();
    await agent.hello({
      slots: 1,
      inventory: Inventory.fromPartial({
        slots: 1,
        cpuCores: 4,
        memoryBytes: 2n ** 34n,
        labels: { only: "here" },
        builtinProvers: ["echo"],
      }),
    });
    await repeat(agent, VIOLATIONS_MAX - 1);
    expect(nodeOf(agent)?.state).toBe("ready");
    await repeat(agent, 1);
    const node = await seen(store.view.nodes, agent.nodeId, ({ state }) => state === "draining");
    expect(node.drain?.quarantine?.reason).toMatch(/^its agent sent 20 messages within 10 minutes .* another node's$/);
    const entries = [...store.view.auditEntries.values()].map(({ value }) => value);
    expect(entries).toMatchObject([
      {
        action: "quarantineNode",
        object: { kind: "node", id: agent.nodeId },
        after: { quarantined: expect.any(String) },
      },
    ]);
    const { deployment } = await deployService(store, {
      scaling: { min: 1 },
      resources: { nodeLabels: { only: "here" } },
    });
    // Over a reconnect too, and by no order of its machine.
    agent.send({ $case: "nodeReport", value: { gpus: [], drainWanted: false, stopShells: false, spot: false } });
    // Of its hello, of the quarantine, and in response.
    await agent.next("nodeState");
    await agent.next("nodeState");
    expect((await agent.next("nodeState")).quarantine).toBe(node.drain?.quarantine?.reason);
    await agent.heartbeat();
    expect(nodeOf(agent)?.drain).toEqual(node.drain);
    const isPlaced = () => [...store.view.assignments.values()].some(({ value }) => value.nodeId === agent.nodeId);
    expect(isPlaced()).toBe(false);
    await updateRecord(
      store,
      "nodes",
      () => store.get("nodes", agent.nodeId),
      (before) => resume(before, Date.now()),
    );
    await expect.poll(isPlaced).toBe(true);
    // It begins from none again.
    await repeat(agent, 1);
    expect(nodeOf(agent)?.state).toBe("ready");
    expect(deployment.id).toBeDefined();
  });

  test("is also who reports more attempts of unknown tasks than an agent retains, with one line a minute of them", async () => {
    const agent = await linked();
    const before = await violations("attempt");
    const send = async (count: number) => {
      const reports = Array.from({ length: count }, () => failed({ ...victims, taskId: newId(1) }));
      agent.send({ $case: "attemptReports", value: { reports } });
      for (let acked = 0; acked < count; ) acked += (await agent.next("attemptAcks")).acks.length;
    };
    for (let sent = 0; sent < UNKNOWN_ATTEMPTS_MAX; sent += REPORTS_A_MESSAGE_MAX) await send(REPORTS_A_MESSAGE_MAX);
    expect(nodeOf(agent)?.state).toBe("ready");
    await send(VIOLATIONS_MAX);
    expect(await violations("attempt")).toBe(before + VIOLATIONS_MAX);
    await expect.poll(() => nodeOf(agent)?.state).toBe("draining");
    expect(logged.filter(({ nodeId, msg }) => nodeId === agent.nodeId && msg.startsWith("refused"))).toMatchObject([
      { msg: "refused a report of an attempt that is no longer current" },
      { msg: "refused what an agent sent; nothing was changed", why: expect.stringContaining("than an agent retains") },
    ]);
  });

  test("is not who only repeats what races and later versions make of correct agents", async () => {
    const agent = await linked();
    const before = await violations();
    const unknown = () => ({ taskId: newId(1), number: 1, token: { storeEpoch: 1n, revision: 1n } });
    for (let sent = 0; sent < 2 * VIOLATIONS_MAX; sent++) {
      agent.send(report(unknown()));
      agent.send(report({ ...victims, token: { storeEpoch: 99n, revision: 1n } }));
      agent.send(workload(newId(1), 3));
      agent.send(workload(newId(1), 42));
      agent.send(progress(unknown(), 0.5));
      agent.send(build(newId(1)));
      agent.send({ $case: "endedAttempts", value: { attempts: [unknown()] } });
      await agent.heartbeat();
    }
    await agent.bulk.appendLogs([piece(unknown())]);
    await expect(agent.bulk.fetchInput(unknown())).rejects.toMatchObject(NOT_FOUND);
    expect(await agent.bulk.uploadNothing()).toMatchObject(INVALID);
    for (let sent = 0; sent < 2; sent++) {
      const version = { code: status.FAILED_PRECONDITION };
      await expect(unlinked().hello({ protocolVersion: 2 })).rejects.toMatchObject(version);
      await expect(unlinked().hello({ protocolVersion: 0 })).rejects.toMatchObject(version);
    }
    expect(await violations()).toBe(before);
    expect(nodeOf(agent)?.state).toBe("ready");
  });
});
