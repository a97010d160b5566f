import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startScenario } from "../scenario/scenario.ts";

/** The process itself, not what wraps it: node, the script, its library, its prover. */
const HOST = /^[^\0]*node\0[^\0]*host\.ts\0[^\0]*\0sleep\0/;

/** Ids of the processes in which a builtin prover runs, in the namespace of this process. */
function provers(): ReadonlySet<number> {
  const commandOf = (pid: string): string => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    } catch {
      // It has ended meanwhile.
      return "";
    }
  };
  return new Set(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name) && HOST.test(commandOf(name)))
      .map(Number),
  );
}

test("its task fails with the signal, the next one of the service succeeds, and no other task notices", async () => {
  await using run = await startScenario({ agentSettings: { ELASTIC_SLOTS: "3" } });
  const client = run.cluster.client();
  const others = provers();
  const scaling = { min: 1, max: 1 };
  const { service_id } = await client.readyService("victim", { image: "builtin:sleep", scaling });
  const started = [...provers()].filter((pid) => !others.has(pid));
  expect(started).toHaveLength(1);
  await run.fault(async () => {
    const { task_id } = await client.postTask(service_id, '{"ms":60000}');
    await expect.poll(async () => (await client.task(task_id)).phase, { timeout: 15_000 }).toBe("running");
    for (const pid of started) process.kill(pid, "SIGKILL");
    const { failure } = await client.ended(task_id);
    expect(failure).toMatchObject({ reason: "prover_error", message: expect.stringContaining("SIGKILL"), attempts: 1 });
    expect(await client.prove(service_id, '{"ms":1}')).toMatchObject({ state: "SUCCESS", attempt: 1 });
  });
  const { attemptsMax, requeues } = await run.verdict();
  expect({ attemptsMax, requeues }).toEqual({ attemptsMax: 1, requeues: [] });
});
