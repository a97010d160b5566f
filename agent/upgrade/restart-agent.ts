/** How the agent of this machine is restarted: by systemd, or by a command of whoever runs it otherwise. */
import { execFile } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { currentVersion, type Layout, unitIn, versionFolder } from "./layout.ts";
import { type CommandFailure, whyCommandFailed } from "./why-command-failed.ts";

const UNIT = "elastic-agent.service";
const UNIT_FILE = `/etc/systemd/system/${UNIT}`;
const COMMAND_MS = 60_000;

/** `from`: the version before. */
export type Restart = (from: string) => Promise<void>;

/** Null where nothing here can restart it. */
export async function findRestart(layout: Layout, command: string | null): Promise<Restart | null> {
  if (command !== null) return async () => void (await run("/bin/sh", "-c", command));
  if (!existsSync("/run/systemd/system") || !(await isActive())) return null;
  return async (from) => {
    refreshUnit(layout, from);
    await run("systemctl", "daemon-reload");
    // Whoever waits looks at the agent, not at the unit.
    await run("systemctl", "restart", "--no-block", UNIT);
  };
}

/** A unit that an operator changed stays as it is. */
function refreshUnit(layout: Layout, from: string): void {
  const [before, after] = [from, currentVersion(layout)].map((version) => unitIn(versionFolder(layout, version)));
  if (before === undefined || after === undefined || ![UNIT_FILE, before, after].every((file) => existsSync(file)))
    return;
  if (readFileSync(UNIT_FILE, "utf8") === readFileSync(before, "utf8")) copyFileSync(after, UNIT_FILE);
}

function isActive(): Promise<boolean> {
  return run("systemctl", "is-active", "--quiet", UNIT).then(
    () => true,
    () => false,
  );
}

async function run(command: string, ...args: readonly string[]): Promise<void> {
  await promisify(execFile)(command, args, { timeout: COMMAND_MS, killSignal: "SIGKILL" }).catch(
    (error: CommandFailure) => {
      throw new Error(whyCommandFailed(error, COMMAND_MS));
    },
  );
}
