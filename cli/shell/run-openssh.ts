/** Hands the terminal to a program of the system's OpenSSH, which prompts for the password itself. */
import { spawn } from "node:child_process";
import type { Context } from "../context/context.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";
import { ProgramEnded } from "../errors/program-ended.ts";
import type { Way } from "./find-way.ts";

/** Where it does not end with 0, the command ends as it did: ssh with the exit code of what was run in the shell. */
export async function runOpenssh(
  program: "ssh" | "scp",
  { settings: { environment } }: Pick<Context, "settings">,
  { options, env }: Pick<Way, "options" | "env">,
  args: readonly string[],
): Promise<void> {
  const given = options.flatMap(([keyword, value]) => ["-o", `${keyword}=${value}`]);
  const child = spawn(program, [...given, ...args], { stdio: "inherit", env: { ...environment, ...env } });
  const code = await new Promise<number>((resolve, reject) => {
    child.once("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "ENOENT" ? missing(program, args) : error),
    );
    child.once("exit", (exit, signal) => resolve(exit ?? (signal === null ? EXIT.failure : EXIT.openssh)));
  });
  if (code === EXIT.openssh) {
    const message = `${program} could not connect or lost its connection.`;
    throw new CliError(message, { exitCode: EXIT.openssh, code: "openssh_failed" });
  }
  if (code !== EXIT.ok) throw new ProgramEnded(code);
}

function missing(program: string, args: readonly string[]): CliError {
  return new CliError(`OpenSSH's ${program} is not on this machine.`, {
    code: "no_openssh",
    next: `Install it, or run elsewhere: ${program} ${args.join(" ")}`,
  });
}
