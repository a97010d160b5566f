/** Hands the terminal to a program of the system's OpenSSH, which asks for the password itself. */
import { spawn } from "node:child_process";
import { CliError } from "../errors/cli-error.ts";

/** What ssh and scp end with when they themselves failed. */
const OWN_FAILURE = 255;

/** Answers its exit code, which is that of what was run in the shell. */
export async function runOpenssh(program: "ssh" | "scp", args: readonly string[]): Promise<number> {
  const child = spawn(program, [...args], { stdio: "inherit" });
  const code = await new Promise<number>((resolve, reject) => {
    child.once("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "ENOENT" ? missing(program, args) : error),
    );
    child.once("exit", (exit, signal) => resolve(exit ?? (signal === null ? 1 : OWN_FAILURE)));
  });
  if (code === OWN_FAILURE) throw new CliError(`${program} could not connect or lost its connection.`);
  return code;
}

function missing(program: string, args: readonly string[]): CliError {
  return new CliError(`OpenSSH's ${program} is not on this machine.`, {
    code: "no_openssh",
    next: `Install it, or run elsewhere: ${program} ${args.join(" ")}`,
  });
}
