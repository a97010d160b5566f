/** One line of what a command `doctor` finds. */

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

/** The program works without it, in part. */
export function warn(name: string, finding: string, remedy: string): Check {
  return { name, level: "warn", finding, remedy };
}

/** The program does not work. */
export function fail(name: string, finding: string, remedy: string): Check {
  return { name, level: "fail", finding, remedy };
}

export function checkText({ name, level, finding, remedy }: Check): string {
  const line = `${level.padEnd(5)}${name.padEnd(14)}${finding}`;
  return remedy === "" ? line : `${line}\n${" ".repeat(19)}→ ${remedy}`;
}
