/** What provers in containers of a real engine write, through a complete agent. */
import { join } from "node:path";
import { publishImage } from "@elastic/deploy/local/image.ts";
import { WorkloadPhase } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import Docker from "dockerode";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Engine, startEngine, whyNoEngineHere } from "../../../test/cluster/engine.ts";
import { type Registry, startRegistry } from "../../../test/cluster/registry.ts";
import type { Agent } from "../../start/start-agent.ts";
import { makeTestCa } from "../../testing/certificates.ts";
import { assignmentOf, startOf } from "../../testing/orders.ts";
import { failureOf } from "../../testing/outcomes.ts";
import { type ScriptedCoordinator, scriptCoordinator } from "../../testing/scripted-coordinator.ts";
import { startTestAgent, testConfig } from "../../testing/start-test-agent.ts";
import { removeTemporaryFolders, temporaryFolder } from "../../testing/temporary-folder.ts";

const noEngine = await whyNoEngineHere();
const LOG_BYTES_MAX = 1 << 20;

let engine: Engine;
let registry: Registry;
let image: string;
let coordinator: ScriptedCoordinator;
let agent: Agent;
let assignments = 0;

beforeAll(async () => {
  if (noEngine !== null) return;
  [engine, registry] = await Promise.all([startEngine(), startRegistry()]);
  const reference = await publishImage(engine.socket, { name: "misbehave", registryHost: registry.host, tag: "logs" });
  const docker = new Docker({ socketPath: engine.socket });
  image = (await docker.getImage(reference).inspect()).RepoDigests[0] ?? "";
  const ca = makeTestCa(join(temporaryFolder(), "ca"));
  coordinator = await scriptCoordinator(ca.server(), { logBytesMax: LOG_BYTES_MAX });
  const own = { engine: { kind: "socket", path: engine.socket }, ffiLibrary: null } as const;
  agent = await startTestAgent(testConfig(ca.node("n1"), [coordinator.address], own));
  await coordinator.linked();
}, 120_000);

afterAll(async () => {
  await agent?.stop();
  coordinator?.kill();
  await registry?.[Symbol.asyncDispose]();
  await engine?.[Symbol.asyncDispose]();
  removeTemporaryFolders();
}, 60_000);

/** Returns the id of an assignment whose prover is up. */
async function ready(env: Record<string, string>): Promise<string> {
  assignments += 1;
  const assignmentId = `a${assignments}`;
  coordinator.assign([assignmentOf(image, { assignmentId, env })]);
  await coordinator.workload(assignmentId, WorkloadPhase.WORKLOAD_PHASE_READY);
  return assignmentId;
}

async function run(assignmentId: string, input: string, more: Parameters<typeof startOf>[1] = {}) {
  const start = startOf(input, { assignmentId, ...more });
  coordinator.start([start]);
  return { taskId: start.taskId, report: await coordinator.report(start.taskId) };
}

const lines = (count: number) => Array.from({ length: count }, (_, line) => `line ${line + 1}\n`).join("");

describe.skipIf(noEngine !== null)("the log of a task in a container", { timeout: 60_000 }, () => {
  test("is what its prover wrote for it, and nothing of what came before or after", async () => {
    const assignmentId = await ready({ MISBEHAVE: "sleep" });
    const tasks: [string, number][] = [];
    for (const count of [3, 2_000, 1, 40]) {
      tasks.push([(await run(assignmentId, `{"ms":50,"lines":${count}}`)).taskId, count]);
      // As long as a coordinator takes to send the next one.
      await coordinator.log(tasks.at(-1)?.[0] ?? "");
    }
    for (const [taskId, count] of tasks) expect(await coordinator.log(taskId)).toBe(lines(count));
  });

  test("comes while the task runs", async () => {
    const assignmentId = await ready({ MISBEHAVE: "sleep" });
    const start = startOf('{"ms":600000,"lines":600000}', { assignmentId });
    coordinator.start([start]);
    await expect
      .poll(() => coordinator.logs.get(start.taskId)?.text ?? "", { timeout: 20_000 })
      .toMatch(/^line 1\nline 2\n.*line 50\n/s);
    if (start.attempt !== undefined) coordinator.cancel(start.attempt);
    await coordinator.report(start.taskId);
    expect(await coordinator.log(start.taskId)).toContain("line 51\n");
  });

  test("is cut under a flood, and the next task's is complete", async () => {
    const assignmentId = await ready({ MISBEHAVE: "log-flood", LOG_FLOOD_BYTES: `${24 << 20}` });
    const flood = await run(assignmentId, "{}");
    expect(flood.report.outcome?.$case).toBe("succeeded");
    const log = await coordinator.log(flood.taskId);
    const said = `\n… log cut at ${LOG_BYTES_MAX} bytes: the rest of it is dropped\n`;
    expect(Buffer.byteLength(log)).toBe(LOG_BYTES_MAX + Buffer.byteLength(said));
    expect(log.endsWith(said)).toBe(true);
    const numbers = [...log.matchAll(/flood line (\d+) x+\n/g)].map(([, number]) => Number(number));
    expect(numbers.length).toBeGreaterThan(4_000);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    const after = await ready({ MISBEHAVE: "sleep" });
    expect(await coordinator.log((await run(after, '{"ms":1,"lines":5}')).taskId)).toBe(lines(5));
  });

  test("holds the tail that its failure reports", async () => {
    const assignmentId = await ready({ MISBEHAVE: "sleep" });
    const { taskId, report } = await run(assignmentId, '{"ms":600000,"lines":600000}', { runTimeoutMs: 300 });
    const { logTail } = failureOf(report);
    expect(logTail.length).toBeGreaterThan(50);
    expect(await coordinator.log(taskId)).toContain(logTail);
  });

  test("is that of each attempt though the container was started again in between", async () => {
    const assignmentId = await ready({ MISBEHAVE: "sleep" });
    const first = await run(assignmentId, '{"ms":600000,"lines":600000}', { runTimeoutMs: 300 });
    const second = await run(assignmentId, '{"ms":20,"lines":7}');
    expect((await coordinator.log(first.taskId)).startsWith("line 1\n")).toBe(true);
    // Bytes carry no name: what the first says when its caller hangs up may come after the second has begun (prover-log.ts).
    const late = "misbehave: the caller hung up, so the sleep ends\n";
    expect((await coordinator.log(second.taskId)).replace(late, "")).toBe(lines(7));
  });
});
