import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { AttemptReport } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { WorkloadPhase } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Agent } from "./agent.ts";
import type { AgentConfig } from "./config.ts";
import { makeTestCa, type TestCa } from "./testing/certificates.ts";
import { assignmentOf, startOf } from "./testing/orders.ts";
import { type CoordinatorScript, type ScriptedCoordinator, scriptCoordinator } from "./testing/scripted-coordinator.ts";
import { startTestAgent, temporaryFolder, testConfig } from "./testing/start-test-agent.ts";

let ca: TestCa;
const ends: (() => void | Promise<void>)[] = [];

beforeAll(() => {
  const folder = join(temporaryFolder(), "ca");
  mkdirSync(folder, { recursive: true });
  ca = makeTestCa(folder);
});

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function coordinatorOf(script: CoordinatorScript = {}): Promise<ScriptedCoordinator> {
  const coordinator = await scriptCoordinator(ca.server(), script);
  ends.push(() => coordinator.kill());
  return coordinator;
}

async function agentOf(coordinator: ScriptedCoordinator, more: Partial<AgentConfig> = {}): Promise<Agent> {
  const agent = await startTestAgent(testConfig(ca.node("n1"), [coordinator.address], more));
  ends.push(() => agent.stop());
  return agent;
}

async function readyWith(image: string, concurrency = 1): Promise<ScriptedCoordinator> {
  const coordinator = await coordinatorOf();
  await agentOf(coordinator);
  await coordinator.linked();
  coordinator.assign([assignmentOf(image, { concurrency })]);
  await coordinator.workload("a1", WorkloadPhase.WORKLOAD_PHASE_READY);
  return coordinator;
}

function resultText(report: AttemptReport): string | undefined {
  if (report.outcome?.$case !== "succeeded" || report.outcome.value.result?.$case !== "inlineResult") return undefined;
  return report.outcome.value.result.value.toString("utf8");
}

function failureOf(report: AttemptReport): { reason: string; message: string } | undefined {
  return report.outcome?.$case === "failed" ? report.outcome.value : undefined;
}

describe("an agent with builtin provers", () => {
  test("tells its inventory and builtin provers in its hello", async () => {
    const coordinator = await coordinatorOf();
    await agentOf(coordinator);
    const hello = await coordinator.linked();
    expect(hello.nodeId).toBe("n1");
    expect(hello.inventory?.builtinProvers).toEqual(expect.arrayContaining(["poseidon", "noop"]));
    expect(hello.inventory?.slots).toBe(4);
  });

  test("runs a task on an assigned prover and reports its result", async () => {
    const coordinator = await readyWith("builtin:noop");
    const start = startOf("{}");
    coordinator.start([start]);
    expect(resultText(await coordinator.report(start.taskId))).toBe("ok");
  });

  test("hands the input on byte for byte", async () => {
    const coordinator = await readyWith("builtin:echo");
    const input = '{"n":12345678901234567890,"a":1,"a":2,"x":1e400}';
    const start = startOf(input);
    coordinator.start([start]);
    expect(resultText(await coordinator.report(start.taskId))).toBe(input);
  });

  test("a crash of the prover costs its attempt, and the next one succeeds", async () => {
    const coordinator = await readyWith("builtin:crash");
    const crash = startOf('{"how":"segv"}');
    coordinator.start([crash]);
    const failure = failureOf(await coordinator.report(crash.taskId));
    expect(failure?.reason).toBe("prover_error");
    expect(failure?.message).toContain("SIGSEGV");
    const panic = startOf('{"how":"panic"}');
    coordinator.start([panic]);
    expect(failureOf(await coordinator.report(panic.taskId))?.message).toContain("panicked");
  });
});
