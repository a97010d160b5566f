/** The one workflow: its one activity. Bundled by Temporal's worker, and run in its sandbox. */
import { proxyActivities } from "@temporalio/workflow";
import type * as activities from "./activities.ts";

/** On a busy machine the server may count an activity as started whose worker never gets it: only this timeout ends that. */
const startToCloseTimeout = "10 seconds";
const { prove } = proxyActivities<typeof activities>({ startToCloseTimeout, retry: { maximumAttempts: 3 } });

export async function task(input: object): Promise<string> {
  return prove(input);
}
