/** A command on a separate terminal, as its user sees it and types. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { stripVTControlCharacters } from "node:util";
import { until } from "@elastic/deploy/local/until.ts";

export interface Terminal {
  /** Waits until the text is on the screen, after what was waited for before. */
  shows(text: string): Promise<void>;
  types(keys: string): void;
  /** All that was on the screen, without colours and movements, once the command has ended well. */
  ended(): Promise<string>;
}

const SHOWS_WITHIN_MS = 90_000;
export const DOWN = "\u001b[B";
export const ENTER = "\r";

export function openTerminal(
  line: string,
  surroundings: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): Terminal {
  const { cwd, env } = surroundings;
  // `script` gives the command a terminal, but one without a size.
  const child = spawn("script", ["-qec", `stty cols 120 rows 40; ${line}`, "/dev/null"], {
    cwd,
    env: { ...env, TERM: "xterm", SHELL: "/bin/sh" },
  });
  const exit = once(child, "close");
  let screen = "";
  let seen = 0;
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (screen += part));
  const text = () => stripVTControlCharacters(screen).replaceAll("\r\n", "\n");
  return {
    shows: (wanted) =>
      until(
        `${JSON.stringify(wanted)} on the screen of ${line}`,
        () => {
          const at = text().indexOf(wanted, seen);
          if (at < 0) throw new Error(text());
          seen = at + wanted.length;
          return true;
        },
        { timeoutMs: SHOWS_WITHIN_MS },
      ).then(() => undefined),
    types: (keys) => void child.stdin.write(keys),
    async ended() {
      const [code] = await exit;
      if (code !== 0) throw new Error(`${line}: exit ${code}\n${text()}`);
      return text();
    },
  };
}
