import { AttemptReport } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { type ConnectRequest, Heartbeat, type Hello, LogChunk } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { Gpu, GpuHealth, Inventory } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import { WorkloadPhase, WorkloadReport } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import {
  GPUS_MAX,
  HELLO_ATTEMPTS_MAX,
  HELLO_WORKLOADS_MAX,
  LOG_PIECES_A_MESSAGE_MAX,
  PROGRESSES_A_MESSAGE_MAX,
  REPORTS_A_MESSAGE_MAX,
} from "@elastic/proto/message-limits.ts";
import { newId } from "@elastic/std/ids.ts";
import { status } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MemoryKv } from "../store/memory/memory-kv.ts";
import { MESSAGE_ENTRIES_MIN, UNDER_WAY_MAX } from "./limits.ts";
import type { FakeAgent } from "./testing/fake-agent.ts";
import { type Coordinator, FleetFixture } from "./testing/fleet-fixture.ts";
import { stays } from "./testing/stays.ts";

let fixture: FleetFixture;
let coordinator: Coordinator;
beforeAll(async () => {
  fixture = await FleetFixture.open();
  coordinator = await fixture.coordinator();
});
afterAll(() => fixture.close());

async function linked(nodeId: string): Promise<FakeAgent> {
  const agent = fixture.agent(coordinator, nodeId);
  await agent.hello({ slots: 0 });
  return agent;
}

function many<T>(count: number, entry: () => T): T[] {
  return Array.from({ length: count }, entry);
}

async function refused(of: string): Promise<number> {
  const text = await coordinator.metrics.registry.getSingleMetricAsString("elastic_agent_messages_refused_total");
  return Number(text.match(new RegExp(`of="${of}"} (\\d+)`))?.[1] ?? 0);
}

const attemptOf = () => ({ taskId: newId(1), number: 1, token: { storeEpoch: 1n, revision: 1n } });
const reportOf = () => AttemptReport.fromPartial({ attempt: attemptOf(), outcome: { $case: "cancelled", value: {} } });

describe("a message that holds more than agents send ends the link, and is counted:", () => {
  type Message = ConnectRequest["message"];
  test.each<[string, number, (entries: number) => Message]>([
    ["reports", REPORTS_A_MESSAGE_MAX, (n) => ({ $case: "attemptReports", value: { reports: many(n, reportOf) } })],
    [
      "progresses",
      PROGRESSES_A_MESSAGE_MAX,
      (n) => {
        const progresses = many(n, () => ({ attempt: attemptOf(), fraction: 0.5, message: "" }));
        return { $case: "attemptProgress", value: { progresses } };
      },
    ],
    [
      "gpus",
      GPUS_MAX,
      (n) => {
        const gpus = many(n, () => GpuHealth.fromPartial({ uuid: "GPU-1" }));
        return { $case: "nodeReport", value: { gpus, drainWanted: undefined, stopShells: false, spot: false } };
      },
    ],
  ])("%s", async (of, max, messageOf) => {
    const agent = await linked(`node-${of}`);
    agent.send(messageOf(max));
    await agent.heartbeat();
    const before = await refused(of);
    agent.send(messageOf(max + 1));
    expect(await agent.ended()).toMatchObject({ code: status.INVALID_ARGUMENT });
    expect(await refused(of)).toBe(before + 1);
  });

  test.each<[string, Partial<Hello>]>([
    ["attempts", { attempts: many(HELLO_ATTEMPTS_MAX + 1, attemptOf) }],
    ["workloads", { workloads: many(HELLO_WORKLOADS_MAX + 1, () => WorkloadReport.fromPartial({})) }],
    ["gpus", { inventory: Inventory.fromPartial({ gpus: many(GPUS_MAX + 1, () => Gpu.fromPartial({})) }) }],
  ])("%s of a hello", async (of, given) => {
    const before = await refused(of);
    const agent = fixture.agent(coordinator, "node-hello");
    await expect(agent.hello(given)).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
    expect(await refused(of)).toBe(before + 1);
  });

  test("pieces of logs", async () => {
    const agent = await linked("node-logs");
    const pieces = (count: number) => many(count, () => LogChunk.fromPartial({ attempt: attemptOf() }));
    expect(await agent.bulk.appendLogs(pieces(LOG_PIECES_A_MESSAGE_MAX))).toHaveLength(LOG_PIECES_A_MESSAGE_MAX);
    await expect(agent.bulk.appendLogs(pieces(LOG_PIECES_A_MESSAGE_MAX + 1))).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
    });
    expect(await refused("log_pieces")).toBe(1);
  });
});

test("an agent that comes back with ten thousand outcomes, and more that runs, is welcomed and gets rid of them", async () => {
  const agent = fixture.agent(coordinator, "node-back");
  const reports = many(10_000, reportOf);
  const attempts = [...reports.flatMap(({ attempt }) => attempt ?? []), ...many(1_000, attemptOf)];
  const { directives } = await agent.hello({ slots: 0, attempts });
  expect(directives.map(({ attempt }) => attempt?.taskId)).toEqual(attempts.map(({ taskId }) => taskId));
  for (let at = 0; at < reports.length; at += REPORTS_A_MESSAGE_MAX) {
    agent.send({ $case: "attemptReports", value: { reports: reports.slice(at, at + REPORTS_A_MESSAGE_MAX) } });
  }
  const acked = new Set<string | undefined>();
  while (acked.size < reports.length) {
    for (const { attempt } of (await agent.next("attemptAcks")).acks) acked.add(attempt?.taskId);
  }
});

test("stops reading a link whose reports the store is slow to accept, says so of its node, and reads all of it in the end", async () => {
  const agent = await linked("node-slow");
  const release = holdReads(coordinator.kv);
  const phase = WorkloadPhase.WORKLOAD_PHASE_READY;
  for (let sequence = 1n; sequence <= 1_000n; sequence++) {
    agent.send({ $case: "workloadReport", value: { assignmentId: newId(1), phase, failure: undefined } });
    agent.send({ $case: "heartbeat", value: Heartbeat.fromPartial({ sequence }) });
  }
  const read = () => agent.untaken("heartbeatAck");
  await expect.poll(read).toBeGreaterThan(0);
  expect(await stays(read)).toBeLessThan(UNDER_WAY_MAX / MESSAGE_ENTRIES_MIN + 1);
  const silenceReason = () => coordinator.fleet.links.sighting("node-slow")?.silenceReason;
  expect(silenceReason()).toMatch(/^its agent sent more than is processed at once: .* its heartbeats wait too$/);
  release();
  await expect.poll(read, { timeout: 20_000 }).toBe(1_000);
  expect(silenceReason()).toBeNull();
});

/** Nothing is read of the store until that is called. */
function holdReads(kv: MemoryKv): () => void {
  const read = kv.read.bind(kv);
  const held = Promise.withResolvers<void>();
  kv.read = async (...args) => {
    await held.promise;
    return await read(...args);
  };
  return held.resolve;
}
