import { readdirSync, readFileSync } from "node:fs";
import { WorkloadPhase } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { assignmentOf, startOf } from "./testing/orders.ts";
import { failureOf, resultText } from "./testing/outcomes.ts";
import type { ScriptedCoordinator } from "./testing/scripted-coordinator.ts";
import { removeTemporaryFolders } from "./testing/temporary-folder.ts";
import { TestFleet } from "./testing/test-fleet.ts";

const fleet = new TestFleet();
afterEach(() => fleet.end());
afterAll(removeTemporaryFolders);

async function readyWith(image: string, concurrency = 1): Promise<ScriptedCoordinator> {
  const coordinator = await fleet.coordinator();
  await fleet.agent([coordinator.address]);
  await coordinator.linked();
  coordinator.assign([assignmentOf(image, { concurrency })]);
  await coordinator.workload("a1", WorkloadPhase.WORKLOAD_PHASE_READY);
  return coordinator;
}

describe("an agent with builtin provers", () => {
  test("reports its inventory and builtin provers in its hello", async () => {
    const coordinator = await fleet.coordinator();
    await fleet.agent([coordinator.address]);
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
    expect(failure.reason).toBe("prover_error");
    expect(failure.message).toContain("SIGSEGV");
    const panic = startOf('{"how":"panic"}');
    coordinator.start([panic]);
    expect(failureOf(await coordinator.report(panic.taskId)).message).toContain("panicked");
  });

  test("a cancel ends a running task and leaves its prover to the next", async () => {
    const coordinator = await readyWith("builtin:sleep");
    const long = startOf('{"ms":600000}');
    coordinator.start([long]);
    if (long.attempt !== undefined) coordinator.cancel(long.attempt);
    expect((await coordinator.report(long.taskId)).outcome?.$case).toBe("cancelled");
    const short = startOf('{"ms":1}');
    coordinator.start([short]);
    expect(resultText(await coordinator.report(short.taskId))).toContain("slept_ms");
  });

  test("a task that takes too long ends with run_timeout", async () => {
    const coordinator = await readyWith("builtin:sleep");
    const long = startOf('{"ms":600000}', { runTimeoutMs: 100 });
    coordinator.start([long]);
    expect(failureOf(await coordinator.report(long.taskId)).reason).toBe("run_timeout");
  });

  test("tasks run side by side up to the workload's concurrency", async () => {
    const coordinator = await readyWith("builtin:sleep", 4);
    const starts = Array.from({ length: 4 }, () => startOf('{"ms":600}'));
    const beganAt = performance.now();
    coordinator.start(starts);
    for (const start of starts) expect(resultText(await coordinator.report(start.taskId))).toContain("slept_ms");
    expect(performance.now() - beganAt).toBeLessThan(4 * 600);
  });

  test("an input and a result too long for messages go over the bulk channel, also when it breaks", async () => {
    const input = Buffer.from(`["${"x".repeat(1_500_000)}",12345678901234567890]`);
    const start = startOf(input, { inlineInput: undefined, inputBytes: BigInt(input.length) });
    const coordinator = await fleet.coordinator({
      inputs: new Map([[start.taskId, input]]),
      breakInputAfterBytes: 100_000,
    });
    await fleet.agent([coordinator.address]);
    await coordinator.linked();
    coordinator.assign([assignmentOf("builtin:echo")]);
    await coordinator.workload("a1", WorkloadPhase.WORKLOAD_PHASE_READY);
    coordinator.start([start]);
    const { outcome } = await coordinator.report(start.taskId);
    expect(outcome).toMatchObject({ $case: "succeeded", value: { result: { $case: "uploaded" } } });
    expect(coordinator.uploads.get(start.taskId)?.equals(input)).toBe(true);
  });

  test("an unknown builtin prover fails its start and says so", async () => {
    const coordinator = await fleet.coordinator();
    await fleet.agent([coordinator.address]);
    await coordinator.linked();
    coordinator.assign([assignmentOf("builtin:nope")]);
    const { failure } = await coordinator.workload("a1", WorkloadPhase.WORKLOAD_PHASE_FAILED);
    expect(failure).toMatchObject({ reason: "image_unavailable", message: expect.stringContaining("nope") });
  });

  test("an attempt on an assignment it does not have fails for another try", async () => {
    const coordinator = await readyWith("builtin:noop");
    const start = startOf("{}", { assignmentId: "elsewhere" });
    coordinator.start([start]);
    expect(failureOf(await coordinator.report(start.taskId)).reason).toBe("internal");
  });

  test("a prover runs as nobody, without capabilities, network or a way to new privileges", async () => {
    await readyWith("builtin:noop");
    const host = hostProcesses()[0];
    const status = readFileSync(`/proc/${host}/status`, "utf8");
    expect(status).toMatch(/^Uid:\t65534\t65534\t65534\t65534$/m);
    expect(status).toMatch(/^CapPrm:\t0{16}$/m);
    expect(status).toMatch(/^CapBnd:\t0{16}$/m);
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    const interfaces = readFileSync(`/proc/${host}/net/dev`, "utf8").match(/^\s*\w+:/gm);
    expect(interfaces?.map((name) => name.trim())).toEqual(["lo:"]);
    expect(readFileSync(`/proc/${host}/environ`, "utf8")).not.toContain("ELASTIC");
  });
});

/** Kernel hosts under this process, found by what they run. */
function hostProcesses(): readonly number[] {
  const own = (pid: number): boolean => {
    for (let at = pid; at > 1; ) {
      if (at === process.pid) return true;
      at = Number(/^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${at}/status`, "utf8"))?.[1] ?? 0);
    }
    return false;
  };
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const [program = "", script = ""] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        return program.endsWith("node") && script.endsWith("kernels/host.ts") && own(pid);
      } catch {
        return false;
      }
    });
}
