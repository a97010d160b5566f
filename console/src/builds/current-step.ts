/** The step of a build that its log shows as running. Pure. */
import type { BuildStep } from "./build-steps.ts";

/** Null while none runs. Of several at a time it is the one that began last. */
export function currentStep(steps: readonly BuildStep[]): BuildStep | null {
  return steps.findLast(({ number, state }) => number !== null && state === "running") ?? null;
}
