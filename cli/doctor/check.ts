/** One line of what `elastic doctor` finds. */
import type { CliError } from "../errors/cli-error.ts";
import { printableLine } from "../output/printable.ts";

export interface Check {
  readonly name: string;
  readonly level: "ok" | "warn" | "fail";
  readonly finding: string;
  /** What to do about it; empty when all is well. */
  readonly remedy: string;
}

export function ok(name: string, finding: string): Check {
  return { name, level: "ok", finding, remedy: "" };
}

/** Some commands work without it. */
export function warn(name: string, finding: string, remedy: string): Check {
  return { name, level: "warn", finding, remedy };
}

export function fail(name: string, finding: string, remedy: string): Check {
  return { name, level: "fail", finding, remedy };
}

export function failedBy(name: string, error: CliError): Check {
  return fail(name, error.message, error.next ?? "");
}

export function checkText({ name, level, finding, remedy }: Check): string {
  const line = `${level.padEnd(5)}${name.padEnd(11)}${printableLine(finding)}`;
  return remedy === "" ? line : `${line}\n${" ".repeat(16)}→ ${printableLine(remedy)}`;
}
