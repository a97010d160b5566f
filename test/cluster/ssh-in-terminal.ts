/** OpenSSH's client at a separate terminal, as in a window that a user makes larger. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { programPath } from "./machine.ts";
import { type SshPlace, sshArguments, sshEnvironment, target } from "./ssh-client.ts";

export interface InTerminal extends AsyncDisposable {
  /** All that came on the screen so far; at last `ended with`, and the client's exit code. */
  output(): string;
  types(text: string): void;
  resize(rows: number, columns: number): void;
}

export function startInTerminal(place: SshPlace, command: string): InTerminal {
  const script = join(place.folder, `terminal-${process.hrtime.bigint()}`);
  const words = ["ssh", ...sshArguments("ssh", place, ["-t", target(place), command])];
  const quoted = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  // The name of its terminal comes before anything else on it.
  writeFileSync(script, `#!/bin/sh\ntty > "$0.tty"\n${quoted}\necho "ended with $?"\n`, { mode: 0o700 });
  const line = `EXEC:${script},pty,setsid,ctty,raw,echo=0`;
  const child = spawn("socat", ["-t", "5", "STDIO", line], {
    env: sshEnvironment(place),
    stdio: ["pipe", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  child.stdin.on("error", () => undefined);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (bytes: Buffer) => {
      text += bytes.toString();
    });
  }
  return {
    output: () => text,
    types: (typed) => void child.stdin.write(typed),
    resize(rows, columns) {
      const terminal = readFileSync(`${script}.tty`, "utf8").trim();
      execFileSync("stty", ["-F", terminal, "rows", String(rows), "cols", String(columns)], {
        env: { PATH: programPath() },
      });
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
}
