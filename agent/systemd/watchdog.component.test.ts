/** The agent as a service: what its service manager receives of it, by a real socket. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type AgentProcess, agentEnv, spawnAgent } from "../testing/agent-process.ts";
import { makeTestCa } from "../testing/certificates.ts";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";

const INTERVAL_MS = 200;
const WAIT = { timeout: 20_000 };

let agent: AgentProcess | undefined;
let manager: ChildProcess | undefined;
afterEach(async () => {
  await agent?.kill();
  manager?.kill();
  removeTemporaryFolders();
});

test("notifies systemd when the agent is up, as long as it does not hang, and when it stops", async () => {
  const socket = join(temporaryFolder(), "notify");
  let received = "";
  let pingedAt = 0;
  manager = spawn("socat", ["-u", `UNIX-RECV:${socket}`, "STDOUT"]);
  manager.stdout?.on("data", (bytes: Buffer) => {
    received += bytes.toString();
    pingedAt = performance.now();
  });
  await expect.poll(() => existsSync(socket), WAIT).toBe(true);
  const beats = () => received.match(/WATCHDOG=1/g)?.length ?? 0;

  // No coordinator responds: that is no reason for a restart.
  const tls = makeTestCa(join(temporaryFolder(), "ca")).node("n1");
  const env = agentEnv(tls, "127.0.0.1:1", join(temporaryFolder(), "state"));
  agent = spawnAgent({ ...env, NOTIFY_SOCKET: socket, WATCHDOG_USEC: `${INTERVAL_MS * 1_000}` });
  await expect.poll(() => received, WAIT).toMatch(/^READY=1(WATCHDOG=1){3}/);

  process.kill(agent.pid, "SIGSTOP");
  // For longer than systemd waits.
  await expect.poll(() => performance.now() - pingedAt, WAIT).toBeGreaterThan(3 * INTERVAL_MS);
  process.kill(agent.pid, "SIGCONT");
  const silentAt = beats();
  await expect.poll(beats, WAIT).toBeGreaterThan(silentAt);

  await agent.kill("SIGTERM");
  await expect.poll(() => received, WAIT).toMatch(/STOPPING=1$/);
});
