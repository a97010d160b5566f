/** How long each stage of a workload's start takes, from the progress that its driver reports. */
import type { Clock } from "@elastic/std/clock.ts";
import type { StartProgress } from "./start-progress.ts";

/** Layers may be unpacked while others are still pulled: it is the time after the last byte arrived. */
export type StartStage = "pull" | "unpack" | "fetch" | "start" | "ready";

export class StartStages {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #ms = new Map<StartStage, number>();
  #current: { readonly stage: StartStage; readonly sinceMs: number } | null = null;

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  take(progress: StartProgress): void {
    const stage = stageOf(progress);
    if (stage === this.#current?.stage) return;
    this.#leave();
    this.#current = { stage, sinceMs: this.#clock.monotonicMs() };
  }

  /** The workload is up. Stages that it did not go through are left out. */
  end(): ReadonlyMap<StartStage, number> {
    this.#leave();
    return this.#ms;
  }

  #leave(): void {
    if (this.#current === null) return;
    const { stage, sinceMs } = this.#current;
    this.#ms.set(stage, (this.#ms.get(stage) ?? 0) + this.#clock.monotonicMs() - sinceMs);
    this.#current = null;
  }
}

function stageOf({ step, doneBytes, totalBytes }: StartProgress): StartStage {
  switch (step) {
    case "pulling":
      return totalBytes > 0 && doneBytes === totalBytes ? "unpack" : "pull";
    case "fetching":
      return "fetch";
    case "starting":
      return "start";
    case "checking":
      return "ready";
  }
}
