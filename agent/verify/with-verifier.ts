/**
 * A prover and the verifier that runs next to it, as one workload: ready when both are, failed when one is, and ended
 * together. Each has its own container or child process, and is restarted separately.
 */
import { StartFailure } from "../domain/start-failure.ts";
import type { StartProgress } from "../domain/start-progress.ts";
import type { WorkloadSpec } from "../domain/workload-spec.ts";
import type { SupervisedWorkload, WorkloadState } from "../workloads/supervise.ts";

/** In addition to the prover's input it is given the result, which may be as long as any. */
const RESULT_BYTES_MAX = 1024 * 1024 * 1024;

/** What the verifier of a workload is made of; null for a workload without one. */
export function verifierSpec(spec: WorkloadSpec): WorkloadSpec | null {
  if (spec.verifierImage === null) return null;
  return {
    ...spec,
    role: "verifier",
    image: spec.verifierImage,
    verifierImage: null,
    inputBytesMax: spec.inputBytesMax + RESULT_BYTES_MAX,
    // They are the prover's: a GPU belongs to one program at a time.
    gpuUuids: [],
  };
}

type Supervise = (onState: (workload: SupervisedWorkload) => void) => SupervisedWorkload;

export function withVerifier(
  startProver: Supervise,
  startVerifier: Supervise,
  onState: (workload: SupervisedWorkload) => void,
): SupervisedWorkload {
  let isComplete = false;
  const report = (): void => {
    // Ended is what both are, and the first word may come before there are both.
    if (isComplete && hasStopped(prover) === hasStopped(verifier)) onState(both);
  };
  const prover = startProver(report);
  const verifier = startVerifier(report);
  const both: SupervisedWorkload = {
    spec: prover.spec,
    state: () => stateOfBoth(prover.state(), verifier.state()),
    prover: (signal) => prover.prover(signal),
    verifier: (signal) => verifier.prover(signal),
    stop: async () => {
      // A result that the prover still gives is verified before its verifier goes.
      await prover.stop();
      await verifier.stop();
    },
  };
  isComplete = true;
  report();
  return both;
}

function hasStopped(workload: SupervisedWorkload): boolean {
  return workload.state().kind === "stopped";
}

export function stateOfBoth(prover: WorkloadState, verifier: WorkloadState): WorkloadState {
  if (prover.kind === "failed") return prover;
  if (verifier.kind === "failed") return { ...verifier, failure: ofVerifier(verifier.failure) };
  if (prover.kind !== "ready") return prover;
  if (verifier.kind !== "ready") return verifier;
  return { kind: "ready", progress: broughtFor(prover.progress, verifier.progress) };
}

function ofVerifier({ reason, message, exitCode, logTail, cause }: StartFailure): StartFailure {
  return new StartFailure(reason, `the verifier: ${message}`, { exitCode, logTail, cause });
}

function broughtFor(prover: StartProgress | null, verifier: StartProgress | null): StartProgress | null {
  if (prover === null || verifier === null) return prover ?? verifier;
  const doneBytes = prover.doneBytes + verifier.doneBytes;
  return { ...prover, doneBytes, totalBytes: doneBytes };
}
