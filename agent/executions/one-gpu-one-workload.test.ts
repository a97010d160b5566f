/** What the ledger has of a GPU that changes hands, judged by the checker of histories. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { historyOf } from "../../test/checker/history.ts";
import { judge } from "../../test/checker/judge.ts";
import { parseLine } from "../../test/checker/parse-line.ts";
import type { Driver, Prover, ProverEnd } from "../domain/driver.ts";
import { proverLog } from "../domain/prover-log.ts";
import { specOf } from "../domain/workload-spec.ts";
import type { DriverProcess } from "../gpus/driver-process.ts";
import { keepGpus } from "../gpus/gpu-keeper.ts";
import { guardGpus } from "../gpus/guard-gpus.ts";
import { aReading } from "../gpus/testing/readings.ts";
import { startReconciler } from "../reconcile/apply.ts";
import { assignmentOf } from "../testing/orders.ts";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { openExecutionLedger } from "./execution-ledger.ts";
import { recordExecutions } from "./record-executions.ts";

afterAll(removeTemporaryFolders);

const log = createLog({ name: "test", level: "silent" });
const clock = systemClock;
/** Turns of the event loop in which a workload that may start has started. */
const TURNS = 50;
const TIMES = {
  readEveryMs: 5,
  freeWithinMs: 5_000,
  test: { firstMs: 50, longestMs: 200 },
  retry: { firstMs: 50, longestMs: 200 },
};
const gpus: DriverProcess = {
  read: async () => ({ kind: "read", reading: { gpus: [aReading("GPU-1")], unread: [], events: [] } }),
  close: () => undefined,
};

test("starts the next workload of a GPU only once the one before has ended", async () => {
  const file = join(temporaryFolder(), "ledger.jsonl");
  const ledger = openExecutionLedger({ file, nodeId: "n1", sessionId: "s1", log });
  const keeper = await keepGpus({
    ...{ driver: gpus, selfTest: async () => null, onChange: () => undefined, onXid: () => undefined },
    ...{ times: TIMES, clock, log },
  });
  keeper.run();
  onTestFinished(() => keeper.stop());
  const driver = guardGpus(recordExecutions(slowToEnd(), ledger), keeper);
  const ready: string[] = [];
  const reconciler = startReconciler({
    ...{ docker: driver, builtin: driver, shells: driver, clock, log },
    onStarted: () => undefined,
    onState: ({ spec, state }) => state().kind === "ready" && ready.push(spec.assignmentId),
  });
  for (const assignmentId of ["a1", "a2", "a3"]) {
    const spec = specOf(assignmentOf("builtin:scripted", { assignmentId, gpuUuids: ["GPU-1"] }));
    if (spec === null) throw new Error("the assignment is not understood");
    reconciler.want([spec]);
    await expect.poll(() => ready).toContain(assignmentId);
  }
  await reconciler.stop();
  ledger.close();
  const lines = readFileSync(file, "utf8").split("\n").flatMap(parseLine);
  const { history } = historyOf(lines.map((line) => ({ ...line, place: null })));
  const exclusive = judge(history).find(({ name }) => name === "exclusive");
  expect(exclusive?.violations.map(({ sentence }) => sentence)).toEqual([]);
  expect(exclusive?.judged).toBe("3 executions with 4 things for themselves, of 0 attempts");
});

/** Its workloads take many turns of the event loop to end. */
function slowToEnd(): Driver {
  return {
    name: "builtin",
    find: async () => [],
    start: async () => {
      const end = Promise.withResolvers<ProverEnd>();
      const prover: Prover = {
        log: proverLog(),
        ended: end.promise,
        idle: async () => undefined,
        prove: async () => ({ kind: "responded" }),
        stop: async () => {
          for (let turn = 0; turn < TURNS; turn += 1) await setImmediate();
          end.resolve({ exitCode: 0, signal: null, outOfMemory: false, byAgent: true });
        },
      };
      return prover;
    },
  };
}
