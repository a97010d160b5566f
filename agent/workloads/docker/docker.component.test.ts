/**
 * Containers of a real engine, in user namespaces, through a complete agent: what a prover may do, and how it may fail.
 */
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { finish } from "@elastic/deploy/local/engine-progress.ts";
import { publishImage } from "@elastic/deploy/local/image.ts";
import type { AttemptReport } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { WorkloadPhase, type WorkloadReport } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import Docker from "dockerode";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OwnEngine, startOwnEngine, whyNoEngineHere } from "../../../test/cluster/engine.ts";
import { type Registry, startRegistry } from "../../../test/cluster/registry.ts";
import type { Agent } from "../../start/start-agent.ts";
import { agentEnv, spawnAgent } from "../../testing/agent-process.ts";
import { makeTestCa, type TestCa } from "../../testing/certificates.ts";
import { eventually } from "../../testing/eventually.ts";
import { assignmentOf, startOf } from "../../testing/orders.ts";
import { failureOf, resultText } from "../../testing/outcomes.ts";
import { type ScriptedCoordinator, scriptCoordinator } from "../../testing/scripted-coordinator.ts";
import { startTestAgent, testConfig } from "../../testing/start-test-agent.ts";
import { removeTemporaryFolders, temporaryFolder } from "../../testing/temporary-folder.ts";

afterAll(removeTemporaryFolders);

const noEngine = await whyNoEngineHere();

let engine: OwnEngine;
let registry: Registry;
let docker: Docker;
let image: string;
let ca: TestCa;
let coordinator: ScriptedCoordinator;
let agent: Agent;
let assignments = 0;

beforeAll(async () => {
  if (noEngine !== null) return;
  [engine, registry] = await Promise.all([startOwnEngine({ userNamespaces: true }), startRegistry()]);
  docker = new Docker({ socketPath: engine.socket });
  const reference = await publishImage(engine.socket, { name: "misbehave", registryHost: registry.host, tag: "test" });
  image = (await docker.getImage(reference).inspect()).RepoDigests[0] ?? "";
  await docker.getImage(reference).remove({ force: true });
  await docker
    .getImage(image)
    .remove({ force: true })
    .catch(() => undefined);
  ca = makeTestCa(join(temporaryFolder(), "ca"));
  coordinator = await scriptCoordinator(ca.server());
  agent = await startTestAgent(
    testConfig(ca.node("n1"), [coordinator.address], {
      engine: { kind: "socket", path: engine.socket },
      ffiLibrary: null,
    }),
  );
  await coordinator.linked();
}, 120_000);

afterAll(async () => {
  await agent?.stop();
  coordinator?.kill();
  await registry?.[Symbol.asyncDispose]();
  await engine?.[Symbol.asyncDispose]();
}, 60_000);

/** Assigns a prover that misbehaves so, and nothing else. */
function assign(env: Record<string, string>, more: Parameters<typeof assignmentOf>[1] = {}): string {
  assignments += 1;
  const assignmentId = `a${assignments}`;
  coordinator.assign([assignmentOf(image, { assignmentId, env, ...more })]);
  return assignmentId;
}

async function ready(env: Record<string, string>, more: Parameters<typeof assignmentOf>[1] = {}): Promise<string> {
  const assignmentId = assign(env, more);
  await coordinator.workload(assignmentId, WorkloadPhase.WORKLOAD_PHASE_READY);
  return assignmentId;
}

function failedStart(assignmentId: string): Promise<WorkloadReport> {
  return coordinator.workload(assignmentId, WorkloadPhase.WORKLOAD_PHASE_FAILED);
}

function post(assignmentId: string, input = "{}", more: Parameters<typeof startOf>[1] = {}): Promise<AttemptReport> {
  const start = startOf(input, { assignmentId, ...more });
  coordinator.start([start]);
  return coordinator.report(start.taskId);
}

describe.skipIf(noEngine !== null)("a prover in a container", { timeout: 60_000 }, () => {
  test("is pulled by digest, started and given its task byte for byte", async () => {
    const assignmentId = await ready({ MISBEHAVE: "echo" });
    const reported = coordinator.workloads.filter((report) => report.assignmentId === assignmentId);
    expect([...new Set(reported.map(({ progress }) => progress?.stage))]).toEqual(["pulling", "starting", "checking"]);
    const pulled = reported.find(({ progress }) => progress?.stage === "starting")?.progress;
    expect(Number(pulled?.doneBytes)).toBeGreaterThan(100_000);
    expect(reported.at(-1)).toMatchObject({ phase: WorkloadPhase.WORKLOAD_PHASE_READY });
    const input = '{"n":12345678901234567890,"a":1,"a":2,"x":1e400}';
    expect(resultText(await post(assignmentId, input))).toBe(input);
  });

  test("has its own user namespace where the engine gives one", async () => {
    const assignmentId = await ready({ MISBEHAVE: "echo" });
    const all = await docker.listContainers({ filters: { label: [`elastic.assignment=${assignmentId}`] } });
    const { State } = await docker.getContainer(all[0]?.Id ?? "").inspect();
    expect(readFileSync(`/proc/${State.Pid}/uid_map`, "utf8")).toMatch(/^\s*0\s+[1-9]\d+\s+65536\n$/);
    expect(readFileSync(`/proc/${State.Pid}/status`, "utf8")).toMatch(/^Uid:\t[1-9]\d{6,}\t/m);
  });

  test("sees no capability, no network, no host and nothing to write to but a bounded /tmp", async () => {
    const listener = createServer((socket) => socket.end()).listen(0, "0.0.0.0");
    await once(listener, "listening");
    const host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
    const env = { MISBEHAVE: "probe", LD_PRELOAD: "/evil.so", NVIDIA_VISIBLE_DEVICES: "all", PORT: "1", KEPT: "yes" };
    const assignmentId = await ready(env);
    const input = JSON.stringify({ connect: [host, coordinator.address, registry.host, "8.8.8.8:53"] });
    const start = startOf(input, { assignmentId });
    coordinator.start([start]);
    await coordinator.report(start.taskId);
    listener.close();
    const report = JSON.parse(coordinator.uploads.get(start.taskId)?.toString("utf8") ?? "null") as ProbeReport;
    expect(report.status).toMatchObject({
      Uid: "65534 65534 65534 65534",
      CapPrm: "0000000000000000",
      CapBnd: "0000000000000000",
      NoNewPrivs: "1",
      Seccomp: "2",
    });
    expect(report.writable).toMatchObject({ "/": false, "/etc": false, "/tmp": true });
    expect(report.mounts.find((line) => line.includes(" /tmp "))).toMatch(/nosuid,nodev,noexec.*size=16384k/);
    expect(report.mounts.some((line) => line.includes(" / / ro,"))).toBe(true);
    expect(report.interfaces).toEqual(["lo"]);
    expect(Object.values(report.connect).filter((answer) => answer === "connected")).toEqual([]);
    expect(report.env).toEqual(expect.arrayContaining(["KEPT", "PORT", "ELASTIC_INPUT_BYTES_MAX"]));
    expect(report.env).not.toEqual(expect.arrayContaining(["LD_PRELOAD"]));
    expect(report.env).not.toEqual(expect.arrayContaining(["NVIDIA_VISIBLE_DEVICES"]));
    expect(report.limits["Max core file size"]).toEqual(["0", "0"]);
    expect(Object.entries(report.cgroup).find(([file]) => file.includes("pids"))?.[1]).toBe("64");
    expect(Object.entries(report.cgroup).find(([file]) => file.includes("memory"))?.[1]).toBe(`${256 * 1024 * 1024}`);
  });

  test.each([
    ["returns bytes that are not HTTP", { MISBEHAVE: "garbage" }, "bad_output", /not HTTP/],
    ["closes the connection without a response", { MISBEHAVE: "nothing" }, "bad_output", /without a response/],
    ["breaks off in the middle of its response", { MISBEHAVE: "half" }, "bad_output", /./],
    ["returns a problem document", { MISBEHAVE: "500" }, "prover_error", /./],
    ["returns more than a result may have", { MISBEHAVE: "huge" }, "bad_output", /larger than/],
    ["takes more memory than it has", { MISBEHAVE: "oom" }, "out_of_memory", /memory/],
    [
      "has a child that takes more memory than it has",
      { MISBEHAVE: "oom-child" },
      "out_of_memory",
      /killed.*signal: 9/,
    ],
    ["dies of a fault", { MISBEHAVE: "crash" }, "prover_error", /SIGSEGV/],
  ])("that %s fails its task with a clear reason, and takes the next one", async (_, env, reason, message) => {
    const assignmentId = await ready(env);
    for (const input of ["{}", "{}"]) {
      const failure = failureOf(await post(assignmentId, input));
      expect(failure.reason).toBe(reason);
      expect(failure.message).toMatch(message);
    }
  });

  test("that hangs is ended by the run timeout, and the next task on it succeeds", async () => {
    const assignmentId = await ready({ MISBEHAVE: "sleep" });
    const failure = failureOf(await post(assignmentId, '{"ms":60000}', { runTimeoutMs: 300 }));
    expect(failure.reason).toBe("run_timeout");
    expect(resultText(await post(assignmentId, '{"ms":1}'))).toBe("slept");
  });

  test("that ignores all signals is killed after the run timeout and comes back", async () => {
    const assignmentId = await ready({ MISBEHAVE: "hang" });
    for (const input of ["{}", "{}"]) {
      expect(failureOf(await post(assignmentId, input, { runTimeoutMs: 200 })).reason).toBe("run_timeout");
    }
  });

  test("is stopped by a cancel, and the next task on it succeeds", async () => {
    const assignmentId = await ready({ MISBEHAVE: "sleep" });
    const start = startOf('{"ms":60000}', { assignmentId });
    coordinator.start([start]);
    if (start.attempt !== undefined) coordinator.cancel(start.attempt);
    expect((await coordinator.report(start.taskId)).outcome?.$case).toBe("cancelled");
    expect(resultText(await post(assignmentId, '{"ms":1}'))).toBe("slept");
  });

  test.each([
    ["forks until it is refused", { MISBEHAVE: "fork-bomb" }, /"forked":6\d,"errno":11/],
    ["floods its log", { MISBEHAVE: "log-flood" }, /"bytes":67\d{6}/],
    ["fills /tmp", { MISBEHAVE: "fill-tmp" }, /"bytes":16777216,"errno":28/],
  ])("that %s is held within its limits and takes the next task", async (_, env, held) => {
    const assignmentId = await ready(env);
    for (const input of ["{}", "{}"]) {
      expect(resultText(await post(assignmentId, input))).toMatch(held);
    }
  });

  test("that exits at once fails its start with its exit code and the end of its log", async () => {
    const { failure } = await failedStart(assign({ MISBEHAVE: "exit", EXIT_CODE: "7" }));
    expect(failure).toMatchObject({ reason: "prover_error", exitCode: 7 });
    expect(failure?.logTail).not.toBe("");
  });

  test("that never listens fails its start when its time is up", async () => {
    const { failure } = await failedStart(assign({ MISBEHAVE: "never-listen" }, { startTimeoutMs: 1_500 }));
    expect(failure).toMatchObject({ reason: "start_timeout" });
    expect(failure?.message).toMatch(/1.5 s|in time/);
  });

  test("whose image does not exist fails its start with the engine's words", async () => {
    const missing = image.replace("/misbehave@", "/no-such-image@");
    assignments += 1;
    coordinator.assign([assignmentOf(missing, { assignmentId: `a${assignments}` })]);
    const { failure } = await failedStart(`a${assignments}`);
    expect(failure).toMatchObject({ reason: "image_unavailable" });
    expect(failure?.message).toMatch(/not found|unknown|denied/);
  });

  test.each([
    ["more volumes than are allowed", Array.from({ length: 9 }, (_, index) => `/v${index}`), /9 volumes; at most 8/],
    ["a volume that the engine knows by another spelling", ["/etc/"], /volume "\/etc\/"/],
  ])("whose image declares %s fails its start, and nothing is made on the host's disk", async (_, paths, message) => {
    assignments += 1;
    const withVolumes = await imageWithVolumes(paths);
    coordinator.assign([assignmentOf(withVolumes, { assignmentId: `a${assignments}`, env: { MISBEHAVE: "echo" } })]);
    const { failure } = await failedStart(`a${assignments}`);
    expect(failure).toMatchObject({ reason: "prover_error" });
    expect(failure?.message).toMatch(message);
    expect((await docker.listVolumes()).Volumes).toEqual([]);
  });

  test("has memory in place of the volumes its image declares", async () => {
    assignments += 1;
    const assignmentId = `a${assignments}`;
    const withVolumes = await imageWithVolumes(["/data", "/var/lib/prover"]);
    coordinator.assign([assignmentOf(withVolumes, { assignmentId, env: { MISBEHAVE: "echo" } })]);
    await coordinator.workload(assignmentId, WorkloadPhase.WORKLOAD_PHASE_READY);
    expect((await docker.listVolumes()).Volumes).toEqual([]);
  });

  test("writes to its /tmp also where the image's own is root's, with mode 0755", async () => {
    assignments += 1;
    const assignmentId = `a${assignments}`;
    const withFolder = await imageWithFolder("/tmp");
    coordinator.assign([assignmentOf(withFolder, { assignmentId, env: { MISBEHAVE: "fill-tmp" } })]);
    await coordinator.workload(assignmentId, WorkloadPhase.WORKLOAD_PHASE_READY);
    expect(resultText(await post(assignmentId))).toMatch(/"bytes":16777216,"errno":28/);
  });

  test("that listens late is waited for", async () => {
    const assignmentId = await ready({ MISBEHAVE: "late-listen", LATE_MS: "1500" });
    expect(resultText(await post(assignmentId, "[1]"))).toBe("[1]");
  });

  test("without a health route is ready once its port is open", async () => {
    const assignmentId = await ready({ MISBEHAVE: "echo", NO_HEALTHZ: "1" });
    expect(resultText(await post(assignmentId, "[1]"))).toBe("[1]");
  });

  test("that is assigned no longer is gone", async () => {
    const assignmentId = await ready({ MISBEHAVE: "echo" });
    coordinator.assign([]);
    await coordinator.workload(assignmentId, WorkloadPhase.WORKLOAD_PHASE_STOPPED);
    const filters = { label: [`elastic.assignment=${assignmentId}`] };
    expect(await docker.listContainers({ all: true, filters })).toEqual([]);
  });

  test("that needs a GPU the engine cannot give fails its start, and does not run without", async () => {
    const { failure } = await failedStart(assign({}, { gpuUuids: ["GPU-00000000-0000-0000-0000-000000000000"] }));
    expect(failure).toMatchObject({ reason: "gpu_fault" });
  });

  test("outlives an agent that is killed: the next one takes it over, or removes what is assigned no longer", async () => {
    const own = await scriptCoordinator(ca.server());
    const stateDir = join(temporaryFolder(), "state");
    const env = { ...agentEnv(ca.node("n2"), own.address, stateDir), ELASTIC_ENGINE_SOCKET: engine.socket };
    const filters = { label: ["elastic.node=n2"] };
    const containers = async (): Promise<readonly string[]> =>
      (await docker.listContainers({ all: true, filters })).map((container) => container.Id);
    const wanted = [assignmentOf(image, { assignmentId: "kept", env: { MISBEHAVE: "echo" } })];

    const first = spawnAgent(env);
    await first.line("linked");
    own.assign(wanted);
    await own.workload("kept", WorkloadPhase.WORKLOAD_PHASE_READY);
    const before = await containers();
    await first.kill();
    own.workloads.length = 0;

    const second = spawnAgent(env);
    await second.line("linked");
    own.assign(wanted);
    await own.workload("kept", WorkloadPhase.WORKLOAD_PHASE_READY);
    const start = startOf("[1]", { assignmentId: "kept" });
    own.start([start]);
    expect(resultText(await own.report(start.taskId))).toBe("[1]");
    expect(await containers()).toEqual(before);
    await second.kill();

    const third = spawnAgent(env);
    await third.line("linked");
    own.assign([]);
    await eventually("no container", async () => (await containers()).length === 0 || undefined);
    await third.kill();
    own.kill();
  });
});

/** The prover that misbehaves, with these volumes declared. */
async function imageWithVolumes(paths: readonly string[]): Promise<string> {
  const container = await docker.createContainer({ Image: image });
  const { Id } = await container.commit({ changes: `VOLUME ${JSON.stringify(paths)}` });
  await container.remove({ v: true });
  return Id;
}

/** The prover that misbehaves, with this folder, which the engine makes as root and with mode 0755. */
async function imageWithFolder(path: string): Promise<string> {
  const context = temporaryFolder();
  writeFileSync(join(context, "Dockerfile"), `FROM ${image}\nWORKDIR ${path}\nWORKDIR /\n`);
  await finish(docker, await docker.buildImage({ context, src: ["Dockerfile"] }, { t: "with-folder:1" }));
  return (await docker.getImage("with-folder:1").inspect()).Id;
}

/** What the test prover says of its surroundings. */
interface ProbeReport {
  readonly status: Readonly<Record<string, string>>;
  readonly writable: Readonly<Record<string, boolean>>;
  readonly mounts: readonly string[];
  readonly interfaces: readonly string[];
  readonly connect: Readonly<Record<string, string>>;
  readonly env: readonly string[];
  readonly limits: Readonly<Record<string, readonly string[]>>;
  readonly cgroup: Readonly<Record<string, string>>;
}
