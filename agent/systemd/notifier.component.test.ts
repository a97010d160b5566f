import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { openNotifier } from "./notifier.ts";

const managers: ChildProcess[] = [];
afterEach(() => {
  for (const manager of managers.splice(0)) manager.kill();
  removeTemporaryFolders();
});

/** A service manager as far as its socket goes. Returns what it received, one datagram after the other. */
async function managerAt(path: string): Promise<() => string> {
  const manager = spawn("socat", ["-u", `UNIX-RECV:${path}`, "STDOUT"]);
  managers.push(manager);
  let received = "";
  manager.stdout.on("data", (bytes: Buffer) => {
    received += bytes.toString();
  });
  await expect.poll(() => existsSync(path)).toBe(true);
  return () => received;
}

test("notifies the service manager that the agent is up, that it does not hang, and that it stops", async () => {
  const path = join(temporaryFolder(), "notify");
  const received = await managerAt(path);
  const notifier = openNotifier({ NOTIFY_SOCKET: path, WATCHDOG_USEC: "40000" });
  notifier.ready();
  await expect.poll(received).toMatch(/^READY=1(WATCHDOG=1){3}/);
  notifier.stopping();
  await expect.poll(received).toMatch(/STOPPING=1$/);
});

test("another process's watchdog is left alone, and without a service manager nothing is said", async () => {
  const path = join(temporaryFolder(), "notify");
  const received = await managerAt(path);
  const env = { NOTIFY_SOCKET: path, WATCHDOG_USEC: "1000", WATCHDOG_PID: "1" };
  const notifier = openNotifier(env);
  notifier.ready();
  notifier.stopping();
  await expect.poll(received).toBe("READY=1STOPPING=1");
  for (const socket of [undefined, "", "relative", `/${"x".repeat(200)}`]) {
    const silent = openNotifier(socket === undefined ? {} : { NOTIFY_SOCKET: socket });
    silent.ready();
    silent.stopping();
  }
});

test("a service manager that is not there holds nothing up", () => {
  const notifier = openNotifier({ NOTIFY_SOCKET: join(temporaryFolder(), "nobody") });
  notifier.ready();
  notifier.stopping();
});
