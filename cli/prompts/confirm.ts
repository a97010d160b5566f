/** A question before what cannot be taken back. */
import { confirm, isCancel } from "@clack/prompts";
import type { Context } from "../context.ts";
import { CliError, interrupted, usageError } from "../errors/cli-error.ts";

/** Returns when the answer is yes. Without a terminal the command has to say `--yes`. */
export async function askYes(context: Context, message: string): Promise<void> {
  if (!context.interactive) throw usageError("There is no terminal to ask on.", "Give --yes.");
  const { promptOutput: output } = context.printer;
  const answer = await confirm({ message, initialValue: false, output, signal: context.signal });
  if (isCancel(answer)) throw interrupted();
  if (!answer) throw new CliError("Nothing was done.", { code: "declined" });
}
