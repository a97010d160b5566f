/** Prompts on the terminal. They are drawn on stderr, so that stdout has results alone. */
import { isCancel, password, select, text } from "@clack/prompts";
import type { Context } from "../context/context.ts";
import { interrupted, usageError } from "../errors/cli-error.ts";

/** A secret, masked while it is typed. `insteadOf` names what a script gives in its place. */
export async function promptSecret(context: Context, message: string, insteadOf: string): Promise<string> {
  assertInteractive(context, insteadOf);
  const answer = await password({
    message,
    validate: isGiven,
    output: context.printer.promptOutput,
    signal: context.signal,
  });
  if (isCancel(answer)) throw interrupted();
  return answer.trim();
}

/** A line of text that is not empty; `example` is shown until something is typed. */
export async function promptText(
  context: Context,
  question: { message: string; example: string; insteadOf: string },
): Promise<string> {
  assertInteractive(context, question.insteadOf);
  const answer = await text({
    message: question.message,
    placeholder: question.example,
    validate: isGiven,
    output: context.printer.promptOutput,
    signal: context.signal,
  });
  if (isCancel(answer)) throw interrupted();
  return answer.trim();
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** One of several; `initial` is marked at first. */
export async function promptChoice(
  context: Context,
  question: { message: string; choices: readonly Choice[]; initial?: string | undefined; insteadOf: string },
): Promise<string> {
  assertInteractive(context, question.insteadOf);
  const answer = await select<string>({
    message: question.message,
    options: question.choices.map(({ value, label }) => ({ value, label })),
    ...(question.initial === undefined ? {} : { initialValue: question.initial }),
    output: context.printer.promptOutput,
    signal: context.signal,
  });
  if (isCancel(answer)) throw interrupted();
  return answer;
}

function isGiven(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? "Please enter it." : undefined;
}

function assertInteractive(context: Context, insteadOf: string): void {
  if (!context.interactive) throw usageError("There is no terminal to prompt on.", `Give ${insteadOf}.`);
}
