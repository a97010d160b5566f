/**
 * A real PostgreSQL for tests: `await using postgres = await startPostgres()`. Its data outlive crash() and start().
 * Where there is none, the test that needs it fails with what to install.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, globSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { findProgram } from "@elastic/deploy/local/search-path.ts";
import { programPath } from "./machine.ts";
import { startPart } from "./part.ts";
import { makeWorkFolder } from "./work-folder.ts";

const USER = "elastic";
const STARTED = /database system is ready to accept connections/;
const START_TIMEOUT_MS = 60_000;
/** Debian keeps the server's programs off the search path. */
const DEBIAN_PROGRAMS = "/usr/lib/postgresql/*/bin/postgres";
/** Nobody wants the data of a test after the machine has lost its power. */
const SETTINGS = { listen_addresses: "127.0.0.1", unix_socket_directories: "", fsync: "off", jit: "off" };

export interface Postgres extends AsyncDisposable {
  /** Creates an empty database and returns its url. */
  newDatabase(): string;
  /** Ends it at once, as a crash does; resolves when it is gone. */
  crash(): Promise<void>;
  /** Starts it again after crash(), on the same port. */
  start(): Promise<void>;
}

export async function startPostgres(): Promise<Postgres> {
  const program = findPostgres();
  const folder = makeWorkFolder();
  const data = join(folder.path, "data");
  const asUser = makeData(program, folder.path, data);
  let port = 0;
  const part = await startPart<number>({
    async program(before) {
      port = before ?? (await freePort());
      const settings = Object.entries({ ...SETTINGS, port }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
      const [command = program, ...args] = [...asUser, program, "-D", data, ...settings];
      return { name: "postgres", command, args, env: {}, logFile: join(folder.path, "postgres.log") };
    },
    async becomesReady(child) {
      await child.line((line) => (STARTED.test(line) ? true : undefined), START_TIMEOUT_MS);
      return port;
    },
    triesMax: 3,
  });
  const crash = async (): Promise<void> => {
    // Its "immediate" shutdown: a SIGKILL would leave its workers, which hold its memory for a while.
    part.child().signal("SIGQUIT");
    await part.child().exited;
  };
  let databases = 0;
  return {
    newDatabase() {
      const name = `archive_${++databases}`;
      const server = ["-h", "127.0.0.1", "-p", String(port), "-U", USER];
      execFileSync(join(dirname(program), "createdb"), [...server, name], {
        env: {},
        stdio: ["ignore", "ignore", "pipe"],
      });
      return `postgres://${USER}@127.0.0.1:${port}/${name}`;
    },
    crash,
    async start() {
      await part.start();
    },
    async [Symbol.asyncDispose]() {
      await crash();
      folder[Symbol.dispose]();
    },
  };
}

function findPostgres(): string {
  const found = globSync(DEBIAN_PROGRAMS).sort().at(-1) ?? findProgram("postgres", programPath());
  if (found === null) throw new Error("this needs PostgreSQL: install the package postgresql");
  return found;
}

/** Creates the data folder, and returns what the server is started with: it refuses to run as root. */
function makeData(program: string, folder: string, data: string): readonly string[] {
  mkdirSync(data, { mode: 0o700 });
  const asUser = unprivileged(folder, data);
  const create = ["-D", data, "-U", USER, "--auth=trust", "--encoding=UTF8", "--no-instructions", "--no-sync"];
  const [command = "", ...args] = [...asUser, join(dirname(program), "initdb"), ...create];
  execFileSync(command, args, { cwd: folder, env: {}, stdio: ["ignore", "ignore", "pipe"] });
  return asUser;
}

/** Root runs it as the user that its package made. */
function unprivileged(folder: string, data: string): readonly string[] {
  if (process.getuid?.() !== 0) return [];
  const id = (flag: string): number => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  const [uid, gid] = [id("-u"), id("-g")];
  chmodSync(folder, 0o711);
  chownSync(data, uid, gid);
  return ["/usr/bin/setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", "--pdeathsig=KILL", "--"];
}
