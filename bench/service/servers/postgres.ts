/** PostgreSQL with its default durability (fsync and synchronous_commit on), in a separate data folder. */
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { startChild } from "@elastic/deploy/local/child.ts";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import type { Server, ServerPlace } from "./server.ts";
import { requireProgram } from "./system-program.ts";

export const DATABASE = "postgres";
export const USER = "bench";

const STARTED = /database system is ready to accept connections/;
const TUNING = { shared_buffers: "256MB", max_wal_size: "2GB", jit: "off" };

export interface PostgresOptions {
  /** Of its folder and its log; default `postgres`. */
  readonly name?: string;
  /** The most at a time; default 60. */
  readonly connections?: number;
}

export async function startPostgres(
  place: ServerPlace,
  { name = "postgres", connections = 60 }: PostgresOptions = {},
): Promise<Server> {
  const program = { name: "postgres", debianPackage: "postgresql", alsoIn: "/usr/lib/postgresql/*/bin" };
  const command = requireProgram(program, place.path);
  const data = join(place.folder, name);
  mkdirSync(data, { mode: 0o700 });
  const asUser = unprivileged(place, data);
  const [initdb, ...initdbArgs] = [...asUser, join(dirname(command), "initdb")];
  const create = ["-D", data, "-U", USER, "--auth=trust", "--encoding=UTF8", "--no-instructions"];
  execFileSync(initdb ?? "", [...initdbArgs, ...create], {
    cwd: place.folder,
    stdio: ["ignore", "ignore", "inherit"],
    env: {},
  });

  const port = await freePort();
  const reached = { port, listen_addresses: "127.0.0.1", unix_socket_directories: "", max_connections: connections };
  const settings = { ...TUNING, ...reached, fsync: "on" };
  const [run, ...runArgs] = [...asUser, command, "-D", data];
  const child = await startChild({
    name,
    command: run ?? "",
    args: [...runArgs, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    env: {},
    logFile: join(place.folder, `${name}.log`),
  });
  await child.line((line) => (STARTED.test(line) ? true : undefined), 30_000);
  const version = /\d[\d.]*/.exec(execFileSync(command, ["--version"], { encoding: "utf8" }))?.[0] ?? "unknown";
  return {
    pid: child.pid,
    port,
    version,
    async stop() {
      // Its "fast" stop, which does not wait for clients.
      child.signal("SIGINT");
      await child.exited;
    },
  };
}

/** PostgreSQL refuses to run as root: then it runs as the user that its package made. */
function unprivileged(place: ServerPlace, data: string): readonly string[] {
  if (process.getuid?.() !== 0) return [];
  const id = (flag: string): number => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  const [uid, gid] = [id("-u"), id("-g")];
  chmodSync(place.folder, 0o711);
  chownSync(data, uid, gid);
  return ["/usr/bin/setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", "--pdeathsig=KILL"];
}
