/** Whatever an agent may call or say, with the ids of another node: nothing is read, and nothing changes. */
import { generateKeyPairSync } from "node:crypto";
import type { AttemptRef } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { AttemptVerdict, Directive } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import {
  BulkServiceService,
  type ConnectRequest,
  FleetServiceService,
  type Hello,
} from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { Inventory } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import { WorkloadPhase } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { makeSigningRequest } from "@elastic/std/x509/signing-request.ts";
import { status } from "@grpc/grpc-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { placed, ready } from "../domain/shell.ts";
import { aShell, aShellAssignment } from "../domain/testing/records.ts";
import { create } from "../store/change.ts";
import { EnrollmentFixture, type Keys, newKeys } from "./testing/enrollment-fixture.ts";
import type { FakeAgent } from "./testing/fake-agent.ts";
import { createTask, deployService, seen } from "./testing/fleet-fixture.ts";
import { aRunningBuild } from "./testing/running-build.ts";

const OWNER = "gpu-1";
const THIEF = "gpu-2";
const SHA256 = "0".repeat(64);
const NOT_FOUND = { code: status.NOT_FOUND };
const INVENTORY = Inventory.fromPartial({
  cpuCores: 4,
  memoryBytes: 2n ** 34n,
  slots: 4,
  builtinProvers: ["echo"],
  gpus: [{ uuid: "GPU-1", model: "H200", memoryBytes: 1n }],
});

let fixture: EnrollmentFixture;
let owner: FakeAgent;
let thief: FakeAgent;
let thiefs: { readonly certificatePem: string; readonly keys: Keys };
let attempt: AttemptRef;
let assignmentId: string;
let shellAssignmentId: string;
let buildAssignmentId: string;
let buildId: string;

beforeAll(async () => {
  fixture = await EnrollmentFixture.open();
  const { store } = fixture.coordinator;
  owner = fixture.agent(OWNER, await fixture.certificateOf(OWNER));
  await owner.hello({ inventory: INVENTORY });
  const { service } = await deployService(store, { scaling: { min: 1 } });
  assignmentId = (await owner.bringUp(1))[0]?.assignmentId ?? "";
  await seen(store.view.services, service.id, ({ state }) => state.kind === "ready");
  await createTask(store, service, '{"secret":1}');
  const start = await owner.nextStart();
  if (start.attempt === undefined) throw new Error("the start names no attempt");
  attempt = start.attempt;
  const shell = ready(placed(aShell({ runSince: Date.now() }), OWNER), Date.now());
  const shellAssignment = aShellAssignment(shell, OWNER);
  shellAssignmentId = shellAssignment.id;
  await store.commit([create("shells", shell), create("assignments", shellAssignment)]);

  const build = await aRunningBuild(store, fixture.fleet.blobs, OWNER);
  buildAssignmentId = build.assignmentId;
  buildId = build.buildId;

  const keys = newKeys();
  const answer = await fixture.enroll({ token: await fixture.token(THIEF), nodeName: THIEF, keys });
  thiefs = { certificatePem: answer.certificateChainPem, keys };
  thief = await linkedThief();
});
afterAll(() => fixture.close());

async function linkedThief(): Promise<FakeAgent> {
  const agent = fixture.agent(THIEF, fixture.files(thiefs.certificatePem, thiefs.keys));
  await agent.hello({ slots: 0 });
  return agent;
}

type Theft = () => Promise<void>;
type Method = keyof typeof FleetServiceService | keyof typeof BulkServiceService;
type Said = NonNullable<ConnectRequest["message"]>["$case"];

const calls: Record<Exclude<Method, "connect">, Theft> = {
  heartbeats: async () => {
    const forged = thief.heartbeats({ linkId: owner.linkId });
    await expect(forged.accepted).rejects.toMatchObject({ code: status.FAILED_PRECONDITION });
    await owner.heartbeats().accepted;
  },
  pullToken: () => expect(thief.pullToken(assignmentId)).rejects.toMatchObject(NOT_FOUND),
  renewCertificate: async () => {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
    const csr = makeSigningRequest(OWNER, publicKey, privateKey);
    const renewed = fixture.renew(thiefs.certificatePem, thiefs.keys, csr);
    await expect(renewed).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
  },
  fetchInput: () => expect(thief.bulk.fetchInput(attempt)).rejects.toMatchObject(NOT_FOUND),
  uploadResult: async () => {
    const header = { attempt, sizeBytes: 1n, sha256: SHA256 };
    await expect(thief.bulk.upload(header, [Buffer.from("x")])).rejects.toMatchObject(NOT_FOUND);
  },
  fetchVolumeFile: () => expect(thief.bulk.fetchVolumeFile(assignmentId, SHA256)).rejects.toMatchObject(NOT_FOUND),
  fetchBuildSource: async () => {
    await expect(thief.bulk.fetchBuildSource(buildAssignmentId)).rejects.toMatchObject(NOT_FOUND);
    expect(String(await owner.bulk.fetchBuildSource(buildAssignmentId))).toBe("a source");
  },
  appendLogs: async () => {
    const chunk = { attempt, offset: 0n, data: Buffer.from("forged"), last: false };
    expect(await thief.bulk.appendLogs([chunk])).toMatchObject([{ refused: true, keptBytes: 0n }]);
  },
  tunnel: async () => {
    const { tunnels } = fixture.coordinator.fleet;
    const opening = tunnels.open(
      shellAssignmentId,
      { kind: "exec", command: "ls", terminal: null, env: {} },
      AbortSignal.timeout(20_000),
    );
    const { tunnelId } = await owner.next("openTunnel");
    const end = thief.bulk.tunnel();
    const refused = new Promise((resolve) => end.on("error", resolve));
    end.write({ message: { $case: "opened", value: { tunnelId } } });
    expect(await refused).toMatchObject(NOT_FOUND);
    // It still waits for whom it is meant for.
    const own = owner.bulk.tunnel();
    own.write({ message: { $case: "opened", value: { tunnelId } } });
    (await opening).close();
  },
};

const messages: Record<Said, Theft> = {
  hello: async () => {
    const other = fixture.agent(THIEF, fixture.files(thiefs.certificatePem, thiefs.keys));
    await expect(other.hello({ nodeId: OWNER })).rejects.toMatchObject({ code: status.UNAUTHENTICATED });
    // In its own name, with what another node has.
    const greedy = fixture.agent(THIEF, fixture.files(thiefs.certificatePem, thiefs.keys));
    const workloads = [{ assignmentId, phase: WorkloadPhase.WORKLOAD_PHASE_READY }] as Hello["workloads"];
    const { directives } = await greedy.hello({ slots: 0, attempts: [attempt], workloads });
    expect(directives).toMatchObject([{ directive: Directive.DIRECTIVE_CANCEL }]);
    thief = await linkedThief();
  },
  heartbeat: () => thief.heartbeat().then(() => undefined),
  workloadReport: async () => {
    const before = await workloadReportsRefused();
    thief.reportWorkload(assignmentId, WorkloadPhase.WORKLOAD_PHASE_FAILED, "prover_error");
    await expect.poll(workloadReportsRefused).toBe(before + 1);
  },
  attemptReports: async () => {
    expect(await thief.succeed(attempt, '"forged"')).toMatchObject({ verdict: AttemptVerdict.ATTEMPT_VERDICT_STALE });
    expect(await thief.fail(attempt, "prover_error")).toMatchObject({ verdict: AttemptVerdict.ATTEMPT_VERDICT_STALE });
  },
  attemptProgress: async () => {
    thief.send({ $case: "attemptProgress", value: { progresses: [{ attempt, fraction: 0.9, message: "forged" }] } });
    await thief.heartbeat();
    expect(fixture.coordinator.progress.get(attempt.taskId, attempt.number)).toBeNull();
  },
  endedAttempts: async () => {
    const never = { taskId: "f".repeat(32), number: 1, token: { storeEpoch: 0n, revision: 1n } };
    thief.send({ $case: "endedAttempts", value: { attempts: [attempt, never] } });
    expect((await thief.next("endedAttemptsAck")).attempts).toHaveLength(2);
    expect([...fixture.coordinator.store.view.lostTasks.values()]).toEqual([]);
  },
  buildReport: async () => {
    const before = (await fixture.counted("elastic_reports_refused_total")).build ?? 0;
    const forged = { $case: "succeeded", value: { digest: `sha256:${SHA256}`, bytes: 1n } } as const;
    thief.send({ $case: "buildReport", value: { assignmentId: buildAssignmentId, stages: [], outcome: forged } });
    await expect.poll(async () => (await fixture.counted("elastic_reports_refused_total")).build).toBe(before + 1);
    expect(fixture.coordinator.store.view.builds.get(buildId)?.value.state.kind).toBe("running");
  },
  nodeReport: async () => {
    const gpus = [{ uuid: "GPU-1", unhealthyReason: "forged" }];
    thief.send({ $case: "nodeReport", value: { gpus, drainWanted: undefined, stopShells: false, spot: false } });
    await thief.heartbeat();
  },
};

async function workloadReportsRefused(): Promise<number> {
  return (await fixture.counted("elastic_reports_refused_total")).workload ?? 0;
}

/** All that is the owner's, as the store has it. */
function ownersThings(): unknown {
  const { view } = fixture.coordinator.store;
  const task = view.tasks.get(attempt.taskId);
  const assignments = [assignmentId, shellAssignmentId].map((id) => view.assignments.get(id));
  return structuredClone([view.nodes.get(OWNER), view.workloads.get(assignmentId), task, ...assignments]);
}

const thefts: readonly (readonly [string, Theft])[] = [
  ...Object.entries(calls),
  ...Object.entries(messages).map(([name, say]) => [`connect: ${name}`, say] as const),
];

test.each(thefts)("%s does nothing with another node's ids", async (_, steal) => {
  const before = ownersThings();
  await steal();
  expect(ownersThings()).toEqual(before);
});

test("each method and each message of the contract is among them", () => {
  const methods = [...Object.keys(FleetServiceService), ...Object.keys(BulkServiceService)];
  expect(methods.filter((name) => name !== "connect" && !(name in calls))).toEqual([]);
});

test("the owner itself is served all the while", async () => {
  expect(String(await owner.bulk.fetchInput(attempt))).toBe('{"secret":1}');
  await expect(owner.pullToken(assignmentId)).resolves.toBeDefined();
  expect(await owner.succeed(attempt, '"own"')).toMatchObject({ verdict: AttemptVerdict.ATTEMPT_VERDICT_COMMITTED });
});
