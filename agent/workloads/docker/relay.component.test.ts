import { spawn } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeWorkFolder } from "@elastic/test/cluster/work-folder.ts";
import { expect, test } from "vitest";
import { clearSocketDir } from "../../status/socket-dir.ts";
import { startRelay } from "./relay.ts";

test("leaves no socket when it is stopped, or is killed by another", async () => {
  using folder = makeWorkFolder();
  const options = { pid: process.pid, port: 9, connectionsMax: 1 };
  const stopped = await startRelay({ ...options, socketPath: join(folder.path, "stopped.sock") });
  expect(existsSync(stopped.socketPath)).toBe(true);
  await stopped.stop();
  const killed = await startRelay({ ...options, socketPath: join(folder.path, "killed.sock") });
  spawn("pkill", ["--full", "--signal", "KILL", killed.socketPath]);
  await killed.ended;
  expect(readdirSync(folder.path)).toEqual([]);
});

test("an agent that starts removes the sockets of one that was killed, and nothing else", async () => {
  using folder = makeWorkFolder();
  for (const name of ["4f6a.sock", "4f6a.out.sock", "notes"]) writeFileSync(join(folder.path, name), "");
  await clearSocketDir(folder.path);
  expect(readdirSync(folder.path)).toEqual(["notes"]);
});
