/** The parts of deploy/setup.sh that tests need. Quick where nothing is missing. */
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { runCommand } from "./runners/command.ts";
import { RUNNERS, type RunnerName } from "./runners/runners.ts";

/** Whether they are there now; set-up itself reports what is wrong. */
export async function setUpFor(names: readonly RunnerName[]): Promise<boolean> {
  const parts = [...new Set(names.flatMap((name) => RUNNERS[name].needs))];
  if (parts.length === 0) return true;
  const { code } = await runCommand("bash", [inRepository("deploy", "setup.sh"), ...parts], { show: true });
  return code === 0;
}
