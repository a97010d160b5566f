import { expect, test } from "vitest";
import type { Driver, Prover, ProverAnswer, ProverCall } from "../domain/driver.ts";
import { GpuFaultError } from "../domain/gpu-fault-error.ts";
import { specOf, type WorkloadSpec } from "../domain/workload-spec.ts";
import { assignmentOf } from "../testing/orders.ts";
import type { GpuKeeper, HeldGpus } from "./gpu-keeper.ts";
import { guardGpus } from "./guard-gpus.ts";

const never = new AbortController().signal;
const REFUSED: ProverAnswer = { kind: "refused", message: "CUDA error 719", logTail: "the end" };

/** A driver whose prover responds so, and a keeper that records its calls. */
function setUp(answer: ProverAnswer = REFUSED, startFailure: Error | null = null) {
  const did: string[] = [];
  const ended = Promise.withResolvers<Awaited<Prover["ended"]>>();
  const fault = Promise.withResolvers<string>();
  let said: string | null = null;
  const end = () => ended.resolve({ exitCode: 0, signal: null, outOfMemory: false, byAgent: true });
  const prover = {
    prove: async () => answer,
    ended: ended.promise,
    stop: async () => {
      did.push("stop");
      end();
    },
  } as unknown as Prover;
  const driver: Driver = {
    name: "docker",
    find: async () => [],
    start: async () => {
      if (startFailure !== null) throw startFailure;
      return prover;
    },
  };
  const held: HeldGpus = {
    fault: fault.promise,
    faultByNow: async () => said,
    release: () => did.push("release"),
  };
  const keeper = {
    take: async (uuids: readonly string[], holder: string) => {
      did.push(`take ${uuids.join()} for ${holder}`);
      return held;
    },
  } as unknown as GpuKeeper;
  const fail = (why: string) => {
    said = why;
    fault.resolve(why);
  };
  return { driver: guardGpus(driver, keeper), did, end, endUnreported: ended.reject, fail };
}

function spec(gpuUuids: string[]): WorkloadSpec {
  const made = specOf(assignmentOf("r/i@sha256:0", { gpuUuids }));
  if (made === null) throw new Error("the assignment is not understood");
  return made;
}

const start = ({ driver }: ReturnType<typeof setUp>, gpuUuids: string[] = ["GPU-1"]) =>
  driver.start(spec(gpuUuids), () => undefined, never);

test("a workload has its GPUs from before its start until after its end", async () => {
  const set = setUp();
  await start(set);
  expect(set.did).toEqual(["take GPU-1 for a1"]);
  set.end();
  await expect.poll(() => set.did).toEqual(["take GPU-1 for a1", "release"]);
});

test("a workload whose end fails gives its GPUs back all the same, and ends nothing else", async () => {
  const set = setUp();
  const prover = await start(set);
  const ended = expect(prover.ended).rejects.toThrow("its disk is in use");
  set.endUnreported(new Error("its disk is in use"));
  await ended;
  expect(set.did).toEqual(["take GPU-1 for a1", "release"]);
});

test("a workload that does not start gives its GPUs back", async () => {
  const set = setUp(REFUSED, new Error("no"));
  await expect(start(set)).rejects.toThrow("no");
  expect(set.did).toEqual(["take GPU-1 for a1", "release"]);
});

test("reserves no GPU for a workload without one", async () => {
  const set = setUp();
  await start(set, []);
  expect(set.did).toEqual([]);
});

test("a prover whose GPU failed is ended, and what it failed at is the GPU's doing", async () => {
  const set = setUp();
  const prover = await start(set);
  expect(await prover.prove({} as ProverCall)).toEqual(REFUSED);
  set.fail("GPU GPU-1: the GPU fell off the bus (Xid 79)");
  await expect.poll(() => set.did).toEqual(["take GPU-1 for a1", "stop", "release"]);
  const answer = await prover.prove({} as ProverCall);
  expect(answer).toMatchObject({ kind: "broken", error: expect.any(GpuFaultError), logTail: "the end" });
});

test("a response that came before its GPU failed stands", async () => {
  const set = setUp({ kind: "responded" });
  const prover = await start(set);
  set.fail("GPU GPU-1: the GPU fell off the bus (Xid 79)");
  expect(await prover.prove({} as ProverCall)).toEqual({ kind: "responded" });
});
