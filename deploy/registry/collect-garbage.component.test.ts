/** The script under `sh`, with programs in the place of systemctl and the registry that log how they are called. */
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const SCRIPT = fileURLToPath(new URL("collect-garbage.sh", import.meta.url));
const CALLS = ["stop docker-registry", "garbage-collect --delete-untagged=false"];

let dir: string;
const started: number[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "collect-garbage-"));
  mkdirSync(join(dir, "bin"));
  writeFileSync(join(dir, "config.yml"), "");
  program("systemctl", "");
  program("docker-registry", "");
});
afterEach(() => {
  for (const pid of started.splice(0)) {
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
  rmSync(dir, { recursive: true });
});

function program(name: string, more: string): void {
  const file = join(dir, "bin", name);
  writeFileSync(file, `#!/bin/sh\necho "$1 $2" >> "${join(dir, "calls")}"\n${more}\n`);
  chmodSync(file, 0o755);
}

function calls(): readonly string[] {
  try {
    return readFileSync(join(dir, "calls"), "utf8").trimEnd().split("\n");
  } catch {
    return [];
  }
}

function start() {
  const args = [SCRIPT, "--unit", "docker-registry", join(dir, "config.yml")];
  const env = { PATH: `${join(dir, "bin")}:/usr/bin:/bin` };
  // Its own group, as at a terminal: Ctrl-C goes to the script and to what it runs.
  const child = spawn("sh", args, { env, stdio: "ignore", detached: true });
  const { pid } = child;
  if (pid === undefined) throw new Error("the script was not started");
  started.push(pid);
  return { pid, code: new Promise<number | null>((resolve) => child.once("exit", resolve)) };
}

test("starts the registry again after the collection, also where that fails", async () => {
  expect(await start().code).toBe(0);
  expect(calls()).toEqual([...CALLS, "start docker-registry"]);
  program("docker-registry", "exit 3");
  expect(await start().code).toBe(3);
  expect(calls().at(-1)).toBe("start docker-registry");
});

test("starts the registry again, and ends the collection, where a signal interrupts it", async () => {
  for (const [signal, code, toGroup] of [
    ["SIGTERM", 143, false],
    ["SIGINT", 130, true],
    ["SIGHUP", 129, false],
  ] as const) {
    rmSync(join(dir, "calls"), { force: true });
    program("docker-registry", "exec sleep 600");
    const { pid, code: ended } = start();
    await expect.poll(calls).toEqual(CALLS);
    process.kill(toGroup ? -pid : pid, signal);
    expect(await ended, signal).toBe(code);
    expect(calls()).toEqual([...CALLS, "start docker-registry"]);
    // Nobody is left in the group.
    expect(() => process.kill(-pid, 0)).toThrow("ESRCH");
  }
});

test("starts the registry again where the signal comes while it is being stopped", async () => {
  program("systemctl", `if [ "$1" = stop ]; then kill -TERM "$PPID"; fi`);
  expect(await start().code).toBe(143);
  expect(calls()).toEqual(["stop docker-registry", "start docker-registry"]);
});
