/** A confirmation before what cannot be undone. */
import { confirm, isCancel } from "@clack/prompts";
import type { Context } from "../context/context.ts";
import { CliError, interrupted, usageError } from "../errors/cli-error.ts";

/** Returns when the user confirms; throws otherwise. Without a terminal the command needs `--yes`. */
export async function assertConfirmed(context: Context, message: string): Promise<void> {
  if (!context.interactive) throw usageError("There is no terminal to prompt on.", "Give --yes.");
  const { promptOutput: output } = context.printer;
  const answer = await confirm({ message, initialValue: false, output, signal: context.signal });
  if (isCancel(answer)) throw interrupted();
  if (!answer) throw new CliError("Nothing was done.", { code: "declined" });
}
