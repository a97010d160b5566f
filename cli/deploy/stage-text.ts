/** How far a roll-out is, in words. */
import type { DeploymentRecord } from "../api/records.ts";

type Stage = DeploymentRecord["stage"];
type Step = NonNullable<DeploymentRecord["failure"]>["stage"];

const STAGES: Readonly<Partial<Record<Stage, string>>> = {
  resolved: "Looking for a machine",
  waiting: "Waiting",
  placed: "A machine was found",
  pulling: "The machine pulls the image",
  fetching: "The machine fetches the volume",
  pulled: "The machine has the image",
  started: "The prover starts",
  healthy: "The prover is healthy",
  retrying: "Trying again",
};

const STEPS: Readonly<Partial<Record<Step, string>>> = {
  placing: " as a machine was looked for",
  pulling: " as the image was pulled",
  fetching: " as the volume was fetched",
  starting: " as the prover was started",
  checking: " as the prover was waited for",
};

/** With what is waited for, where the server says it. */
export function stageText({ stage, stage_note: note }: Pick<DeploymentRecord, "stage" | "stage_note">): string {
  const text = STAGES[stage] ?? "Waiting for the deployment to be ready";
  return note ? `${text}: ${note}` : text;
}

/** What follows `failed`; nothing for what a later server may call a step. */
export function stepText(step: Step): string {
  return STEPS[step] ?? "";
}
