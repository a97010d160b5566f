/**
 * Workloads of every kind on a real engine, and what is left of them once they have ended: nothing. The first round fetches
 * images and starts what stays; the second one must leave the machine as it found it.
 */
import { join } from "node:path";
import { publishImage } from "@elastic/deploy/local/image.ts";
import { type Assignment, WorkloadPhase } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { newId } from "@elastic/std/ids.ts";
import { type OwnEngine, startOwnEngine, whyNoEngineHere } from "@elastic/test/cluster/engine.ts";
import { type Registry, startRegistry } from "@elastic/test/cluster/registry.ts";
import Docker from "dockerode";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pushBusybox } from "../builds/testing/push-busybox.ts";
import { type AgentProcess, agentEnv, spawnAgent } from "../testing/agent-process.ts";
import { makeTestCa } from "../testing/certificates.ts";
import { assignmentOf, startOf } from "../testing/orders.ts";
import { failureOf, resultText } from "../testing/outcomes.ts";
import { type ScriptedCoordinator, scriptCoordinator } from "../testing/scripted-coordinator.ts";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { tracesOf } from "./testing/traces.ts";

const noEngine = await whyNoEngineHere();
const MIB = 2n ** 20n;
const { WORKLOAD_PHASE_FAILED, WORKLOAD_PHASE_READY, WORKLOAD_PHASE_STOPPED } = WorkloadPhase;

let engine: OwnEngine;
let registry: Registry;
let coordinator: ScriptedCoordinator;
let agent: AgentProcess;
const stateDir = join(temporaryFolder(), "state");
let prover: string;
let shellImage: string;

beforeAll(async () => {
  if (noEngine !== null) return;
  [engine, registry] = await Promise.all([startOwnEngine(), startRegistry()]);
  const docker = new Docker({ socketPath: engine.socket });
  const reference = await publishImage(engine.socket, { name: "misbehave", registryHost: registry.host, tag: "test" });
  prover = (await docker.getImage(reference).inspect()).RepoDigests[0] ?? "";
  await pushBusybox(registry.host, null);
  shellImage = `${registry.host}/library/busybox:1`;
  const ca = makeTestCa(join(temporaryFolder(), "ca"));
  coordinator = await scriptCoordinator(ca.server(), { logBytesMax: 1_000_000 });
  const env = { ...agentEnv(ca.node("n1"), coordinator.address, stateDir), ELASTIC_ENGINE_SOCKET: engine.socket };
  agent = spawnAgent({ ...env, ELASTIC_SHELL_EGRESS_RANGES: "127.0.0.1" });
  await coordinator.linked();
}, 120_000);

afterAll(async () => {
  await agent?.kill();
  coordinator?.kill();
  await registry?.[Symbol.asyncDispose]();
  await engine?.[Symbol.asyncDispose]();
  removeTemporaryFolders();
}, 60_000);

const KINDS = [
  ...["mount", "loop device", "control group", "process of a container", "process of the agent", "socket"],
  ...["network namespace", "of the engine", "of the agent"],
];
/** What none of may be left once workloads have ended. */
const TRANSIENT = /^(loop device|control group|process of a container) /;

const countOf = (lines: readonly string[], kind: string) => lines.filter((line) => line.startsWith(`${kind} `)).length;

let rounds = 0;

const traces = () => tracesOf({ engineSocket: engine.socket, agentPid: agent.pid, stateDir });

/** Each kind of workload, and each kind of end. Returns what they take while they run. */
async function round(): Promise<readonly string[]> {
  rounds += 1;
  const shellId = newId(rounds);
  const of = (name: string, env: Record<string, string>, more: Parameters<typeof assignmentOf>[1] = {}) =>
    assignmentOf(prover, { assignmentId: `${name}-${rounds}`, env, ...more });
  const all = {
    serves: of("serves", { MISBEHAVE: "echo" }),
    crashes: of("crashes", { MISBEHAVE: "crash" }),
    hangs: of("hangs", { MISBEHAVE: "hang" }),
    verified: of("verified", { MISBEHAVE: "echo" }, { verifierImage: prover }),
    exits: of("exits", { MISBEHAVE: "exit" }),
    "listens-not": of("listens-not", { MISBEHAVE: "never-listen" }, { startTimeoutMs: 2_000 }),
    "not-there": { ...of("not-there", {}), ...assignmentOf(absentImage(), { assignmentId: `not-there-${rounds}` }) },
    builtin: assignmentOf("builtin:echo", { assignmentId: `builtin-${rounds}` }),
    shell: shellOf(`shell-${rounds}`, shellId, shellImage),
    "bare-shell": shellOf(`bare-shell-${rounds}`, newId(1_000 + rounds), prover),
  };
  coordinator.assign(Object.values(all));
  const failing: readonly (keyof typeof all)[] = ["exits", "listens-not", "not-there", "bare-shell"];
  for (const [name, { assignmentId }] of Object.entries(all)) {
    const phase = failing.some((each) => each === name) ? WORKLOAD_PHASE_FAILED : WORKLOAD_PHASE_READY;
    await coordinator.workload(assignmentId, phase);
  }
  const during = traces();
  expect(resultText(await prove(all.serves))).toBe("{}");
  expect(failureOf(await prove(all.crashes)).reason).toBe("prover_error");
  expect(failureOf(await prove(all.hangs, 200)).reason).toBe("run_timeout");
  expect(resultText(await prove(all.builtin))).toBe("{}");

  const { shell, "bare-shell": bare } = all;
  const erasures = [shell, bare].map((each) => erasureOf(each));
  coordinator.assign(erasures);
  for (const { assignmentId } of Object.values(all)) await coordinator.workload(assignmentId, WORKLOAD_PHASE_STOPPED);
  for (const { assignmentId } of erasures) await coordinator.workload(assignmentId, WORKLOAD_PHASE_READY);
  coordinator.assign([]);
  for (const { assignmentId } of erasures) await coordinator.workload(assignmentId, WORKLOAD_PHASE_STOPPED);
  return during;
}

function absentImage(): string {
  return prover.replace("/misbehave@", "/no-such-image@");
}

async function prove({ assignmentId }: Assignment, runTimeoutMs = 20_000) {
  const start = startOf("{}", { assignmentId, runTimeoutMs });
  coordinator.start([start]);
  return await coordinator.report(start.taskId);
}

function shellOf(assignmentId: string, shellId: string, image: string): Assignment {
  return {
    ...assignmentOf(image, { assignmentId }),
    workload: {
      $case: "shell",
      value: {
        shellId,
        teamId: "t1",
        image,
        homeBytes: 16n * MIB,
        rootBytes: 16n * MIB,
        env: {},
        egress: [{ host: "127.0.0.1", below: false, port: 443 }],
        startTimeoutMs: 30_000,
        erase: false,
      },
    },
  };
}

function erasureOf(assignment: Assignment): Assignment {
  if (assignment.workload?.$case !== "shell") throw new Error("no shell");
  const { value } = assignment.workload;
  const assignmentId = `${assignment.assignmentId}-erased`;
  return { ...assignment, assignmentId, workload: { $case: "shell", value: { ...value, erase: true } } };
}

test.skipIf(noEngine !== null)("nothing of an ended workload stays on the machine", { timeout: 180_000 }, async () => {
  const during = await round();
  await expect.poll(() => traces().filter((line) => TRANSIENT.test(line))).toEqual([]);
  // Written up to a second after the first attempt has ended.
  await expect.poll(traces).toContain("of the agent ended-attempts");
  const before = traces();
  // Of each kind there is more while they run: the comparison sees what it is to see.
  for (const kind of KINDS) expect([kind, countOf(during, kind) > countOf(before, kind)]).toEqual([kind, true]);
  await round();
  await expect.poll(traces).toEqual(before);
});
