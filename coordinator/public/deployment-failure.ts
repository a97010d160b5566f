/** The public JSON of why a roll-out failed, and how far it had come. */
import { z } from "zod";
import { FAILURE_REASONS } from "../domain/failure.ts";
import { FAILED_STEPS, type StepFailure } from "../domain/roll-out.ts";

export const deploymentFailureSchema = z
  .object({
    stage: z
      .enum(FAILED_STEPS)
      .describe("Finding a node, pulling the image, fetching the volume, starting it, or waiting for its health."),
    reason: z.enum(FAILURE_REASONS),
    message: z.string(),
    exit_code: z.int().nullable(),
    log_tail: z.string().describe("The end of what it wrote."),
  })
  .nullable();

export type DeploymentFailureRecord = z.output<typeof deploymentFailureSchema>;

export function failureRecord(failure: StepFailure | null): DeploymentFailureRecord {
  if (failure === null) return null;
  const { step, reason, message, exitCode, logTail } = failure;
  return { stage: step, reason, message, exit_code: exitCode, log_tail: logTail };
}
