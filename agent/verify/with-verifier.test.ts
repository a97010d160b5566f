import { expect, test } from "vitest";
import { StartFailure } from "../domain/start-failure.ts";
import { specOf, type WorkloadSpec } from "../domain/workload-spec.ts";
import { assignmentOf } from "../testing/orders.ts";
import type { SupervisedWorkload, WorkloadState } from "../workloads/supervise.ts";
import { stateOfBoth, verifierSpec, withVerifier } from "./with-verifier.ts";

const READY: WorkloadState = { kind: "ready", progress: { step: "checking", doneBytes: 3, totalBytes: 3 } };
const STARTING: WorkloadState = { kind: "starting", progress: { step: "checking", doneBytes: 4, totalBytes: 4 } };
const PULLING: WorkloadState = { kind: "pulling", progress: { step: "pulling", doneBytes: 1, totalBytes: 9 } };
const FAILED: WorkloadState = {
  kind: "failed",
  failure: new StartFailure("prover_error", "it exited"),
  progress: null,
};

function spec(more: Parameters<typeof assignmentOf>[1] = {}): WorkloadSpec {
  const made = specOf(assignmentOf("r/prover@sha256:0", more));
  if (made === null) throw new Error("the assignment is not understood");
  return made;
}

/** A workload whose state a test sets. */
class ScriptedWorkload {
  #state: WorkloadState = STARTING;
  #onState: () => void = () => undefined;
  readonly done: string[];
  readonly #name: string;

  constructor(name: string, done: string[]) {
    this.#name = name;
    this.done = done;
  }

  readonly start = (onState: (workload: SupervisedWorkload) => void): SupervisedWorkload => {
    const workload: SupervisedWorkload = {
      spec: spec(),
      state: () => this.#state,
      prover: () => Promise.reject(new Error(this.#name)),
      verifier: null,
      stop: async () => {
        this.done.push(`${this.#name} ended`);
        this.is({ kind: "stopped" });
      },
    };
    this.#onState = () => onState(workload);
    // As a driver that reports its first step at once.
    onState(workload);
    return workload;
  };

  is(state: WorkloadState): void {
    this.#state = state;
    this.#onState();
  }
}

test("both are ready before the workload is, and what is not is what shows", () => {
  expect(stateOfBoth(READY, STARTING)).toBe(STARTING);
  expect(stateOfBoth(PULLING, READY)).toBe(PULLING);
  expect(stateOfBoth(READY, READY)).toEqual({
    kind: "ready",
    progress: { step: "checking", doneBytes: 6, totalBytes: 6 },
  });
});

test("a failure of either is the workload's, and says whose it is", () => {
  expect(stateOfBoth(FAILED, READY)).toMatchObject({ kind: "failed", failure: { message: "it exited" } });
  expect(stateOfBoth(READY, FAILED)).toMatchObject({
    kind: "failed",
    failure: { reason: "prover_error", message: "the verifier: it exited" },
  });
});

test("reports every change, the end once both have ended, and lets each serve its own calls", async () => {
  const done: string[] = [];
  const [prover, verifier] = [new ScriptedWorkload("prover", done), new ScriptedWorkload("verifier", done)];
  const reported: string[] = [];
  const both = withVerifier(prover.start, verifier.start, (workload) => reported.push(workload.state().kind));
  prover.is(READY);
  verifier.is(READY);
  const signal = new AbortController().signal;
  await expect(both.prover(signal)).rejects.toThrow("prover");
  await expect(both.verifier?.(signal)).rejects.toThrow("verifier");
  await both.stop();
  expect(reported).toEqual(["starting", "starting", "ready", "stopped"]);
  expect(done).toEqual(["prover ended", "verifier ended"]);
});

test("a verifier has the prover's limits and data, its own image, and no GPU", () => {
  const volume = { volumeId: "v", manifestSha256: "0".repeat(64), manifestBytes: 1n };
  const of = spec({ verifierImage: "r/verifier@sha256:1", gpuUuids: ["GPU-1"], env: { A: "b" }, volume });
  expect(verifierSpec(spec())).toBeNull();
  expect(verifierSpec(of)).toMatchObject({
    assignmentId: of.assignmentId,
    role: "verifier",
    image: "r/verifier@sha256:1",
    verifierImage: null,
    gpuUuids: [],
    env: { A: "b" },
    resources: of.resources,
    volume: of.volume,
  });
});
