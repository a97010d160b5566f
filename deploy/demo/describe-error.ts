/** Errors as the demo prints them. */
import { ProgramFailedError } from "../local/program-failed-error.ts";
import { DemoError } from "./demo-error.ts";

export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof DemoError) return error.message;
  if (error instanceof ProgramFailedError) return error.summary;
  const { stderr } = error as { readonly stderr?: unknown };
  if (typeof stderr !== "string" || stderr === "") return error.stack ?? error.message;
  return messageOf(stderr) ?? stderr;
}

/** What the user's command says in JSON when it fails, after a line on what it began. */
function messageOf(stderr: string): string | null {
  try {
    return (JSON.parse(stderr.slice(stderr.indexOf("{\n"))) as { readonly error: { readonly message: string } }).error
      .message;
  } catch {
    return null;
  }
}
