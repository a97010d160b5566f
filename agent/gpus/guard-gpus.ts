/**
 * A driver of workloads that reserves GPUs before it starts one, and releases them when it has ended.
 * What fails on a GPU that failed is the GPU's doing: the task is tried again elsewhere.
 */
import type { Driver, FoundWorkload, Prover, ProverAnswer } from "../domain/driver.ts";
import { GpuFaultError } from "../domain/gpu-fault-error.ts";
import type { WorkloadSpec } from "../domain/workload-spec.ts";
import type { GpuKeeper, HeldGpus } from "./gpu-keeper.ts";

export function guardGpus(driver: Driver, gpus: GpuKeeper): Driver {
  return {
    name: driver.name,
    find: async () => (await driver.find()).map((found) => guardFound(found, gpus)),
    start: async (spec, report, signal) => {
      if (!wantsGpus(spec)) return driver.start(spec, report, signal);
      const held = await gpus.take(spec.gpuUuids, spec.assignmentId, false, signal);
      return guardProver(held, () => driver.start(spec, report, signal));
    },
  };
}

function guardFound(found: FoundWorkload, gpus: GpuKeeper): FoundWorkload {
  return {
    ...found,
    adopt: async (spec, signal) => {
      if (!wantsGpus(spec)) return found.adopt(spec, signal);
      const held = await gpus.take(spec.gpuUuids, spec.assignmentId, true, signal).catch(() => null);
      if (held !== null) return guardProver(held, () => found.adopt(spec, signal));
      await found.remove().catch(() => undefined);
      return null;
    },
  };
}

function wantsGpus({ gpuUuids }: WorkloadSpec): boolean {
  return gpuUuids.length > 0;
}

async function guardProver<P extends Prover | null>(held: HeldGpus, start: () => Promise<P>): Promise<P> {
  try {
    const prover = await start();
    if (prover === null) {
      held.release();
      return prover;
    }
    const release = () => held.release();
    // Also where its end could not be determined, or what it left behind not be removed.
    prover.ended.then(release, release);
    // It would wait for a response that never comes, or return a wrong one. Its supervisor learns how it ended.
    held.fault.then(() => prover.stop()).catch(() => undefined);
    return { ...prover, prove: async (call) => blame(await prover.prove(call), held) };
  } catch (error) {
    held.release();
    throw error;
  }
}

/** A response that came before the GPU failed stands, and so does the wish of whoever gave the call up. */
async function blame(answer: ProverAnswer, held: HeldGpus): Promise<ProverAnswer> {
  if (answer.kind === "responded" || answer.kind === "aborted") return answer;
  const fault = await held.faultByNow();
  return fault === null ? answer : { kind: "broken", error: new GpuFaultError(fault), logTail: answer.logTail };
}
