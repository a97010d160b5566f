/** One sandbox: made and started by runc, entered to run a command, and gone with all of its processes at the end. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chown, mkdir, open, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { type SandboxPlace, sandboxBundle } from "./bundle.ts";
import { makeOutputPipe, openOutputPipe } from "./output-pipe.ts";
import { PROGRAM_ENV, ProgramError, runProgram } from "./run-program.ts";

export interface SandboxOptions {
  readonly id: string;
  /** Where runc keeps what it knows of containers. */
  readonly runcRoot: string;
  /** Empty; removed at the end. */
  readonly bundle: string;
  readonly place: SandboxPlace;
}

export interface Sandbox {
  /** Its first process, as the host counts. */
  readonly pid: number;
  isRunning(): Promise<boolean>;
  /** Resolves with the exit code. Standard output and error go to `onOutput` as they come. */
  run(args: readonly string[], onOutput: (chunk: Buffer) => void, signal: AbortSignal): Promise<number | null>;
  remove(): Promise<void>;
}

const LOG_FILE = "buildkitd.log";
const OUTPUT_PIPE = "output";

export async function startSandbox({ id, runcRoot, bundle, place }: SandboxOptions): Promise<Sandbox> {
  const runc = (...args: readonly string[]) => runProgram("runc", ["--root", runcRoot, ...args]);
  const rootfs = join(bundle, "rootfs");
  await mkdir(rootfs, { recursive: true, mode: 0o755 });
  // runc makes the places of the mounts as root of the user namespace.
  await chown(rootfs, place.firstId, place.firstId);
  await makeOutputPipe(join(bundle, OUTPUT_PIPE));
  await writeFile(join(bundle, "config.json"), JSON.stringify(sandboxBundle(place, existsSync)));
  const remove = async () => {
    await runc("delete", "--force", id).catch(ignoreMissing);
    await rm(bundle, { recursive: true, force: true });
  };
  try {
    await create(runcRoot, id, bundle);
    await runc("start", id);
    const { pid } = await state(runc, id);
    return {
      pid,
      isRunning: async () => (await state(runc, id)).status === "running",
      run: (args, onOutput, signal) => enter({ runcRoot, id, bundle }, args, onOutput, signal),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Removes what an agent left that was killed. */
export async function removeSandboxes(runcRoot: string): Promise<void> {
  if (!existsSync(runcRoot)) return;
  const listed = await runProgram("runc", ["--root", runcRoot, "list", "--quiet"]);
  for (const id of listed.split("\n").filter((line) => line !== "")) {
    await runProgram("runc", ["--root", runcRoot, "delete", "--force", id]);
  }
}

/** Its first process inherits the output, so that goes to a file and not to a pipe that would stay open. */
async function create(runcRoot: string, id: string, bundle: string): Promise<void> {
  const log = await open(join(bundle, LOG_FILE), "w");
  try {
    const args = ["--root", runcRoot, "create", "--bundle", bundle, id];
    const child = spawn("runc", args, { env: PROGRAM_ENV, stdio: ["ignore", log.fd, log.fd] });
    const code = await exitOf(child);
    if (code !== 0) throw new ProgramError(`runc create ended with ${code}: ${await endOf(join(bundle, LOG_FILE))}`);
  } finally {
    await log.close();
  }
}

async function endOf(path: string): Promise<string> {
  const file = await open(path, "r");
  try {
    return (await file.readFile("utf8")).slice(-1_000).trim();
  } finally {
    await file.close();
  }
}

/**
 * Detached, so that the program writes into the agent's pipes directly: a client that relayed them would use the
 * machine's processors without belonging to the sandbox. Its exit code comes on a separate pipe; null where it was
 * killed. A signal ends the waiting: the program continues within the sandbox, until that is removed.
 */
async function enter(
  { runcRoot, id, bundle }: Pick<SandboxOptions, "runcRoot" | "id" | "bundle">,
  args: readonly string[],
  onOutput: (chunk: Buffer) => void,
  signal: AbortSignal,
): Promise<number | null> {
  const output = await openOutputPipe(join(bundle, OUTPUT_PIPE));
  const exec = ["--root", runcRoot, "exec", "--detach", "--preserve-fds=1", id];
  const client = spawn("runc", [...exec, "/bin/sh", "-c", `"$@"; echo $? >&3`, "sh", ...args], {
    env: PROGRAM_ENV,
    stdio: ["ignore", output.writer.fd, output.writer.fd, "pipe"],
  });
  const exitPipe = client.stdio[3] as Readable;
  const leave = () => {
    client.kill("SIGKILL");
    exitPipe.destroy();
  };
  signal.addEventListener("abort", leave, { once: true });
  if (signal.aborted) leave();
  let exitText = "";
  exitPipe.on("data", (chunk: Buffer) => (exitText += chunk.toString("latin1")));
  try {
    const ended = exitOf(client);
    await output.writer.close();
    const [clientCode] = await Promise.all([ended, output.read(onOutput, signal)]);
    signal.throwIfAborted();
    return clientCode === 0 ? exitCodeIn(exitText) : clientCode;
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

function exitCodeIn(text: string): number | null {
  return /^\d+\n$/.test(text) ? Number(text) : null;
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code));
  });
}

async function state(runc: (...args: readonly string[]) => Promise<string>, id: string) {
  return JSON.parse(await runc("state", id)) as { readonly pid: number; readonly status: string };
}

function ignoreMissing(error: unknown): void {
  if (!/does not exist/.test(String(error))) throw error;
}
