/** Redis that acknowledges a write only when it is on disk. */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startChild } from "@elastic/deploy/local/child.ts";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import type { Server, ServerPlace } from "./server.ts";
import { requireProgram } from "./system-program.ts";

const STARTED = /Ready to accept connections/;

export async function startRedis(place: ServerPlace): Promise<Server> {
  const command = requireProgram({ name: "redis-server", debianPackage: "redis-server" }, place.path);
  const dir = join(place.folder, "redis");
  mkdirSync(dir);
  const port = await freePort();
  const flags = { port, bind: "127.0.0.1", dir, appendonly: "yes", appendfsync: "always", save: "" };
  const child = await startChild({
    name: "redis",
    command,
    args: Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]),
    env: {},
    logFile: join(place.folder, "redis.log"),
  });
  await child.line((line) => (STARTED.test(line) ? true : undefined), 10_000);
  const version = /v=(\S+)/.exec(execFileSync(command, ["--version"], { encoding: "utf8" }))?.[1] ?? "unknown";
  return { pid: child.pid, port, version, stop: async () => void (await child.stop()) };
}
