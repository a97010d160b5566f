/**
 * A driver that is a program on the coordinator's machine: run once for each call, with the call as its only argument and the
 * request as JSON on its standard input. No shell is involved, and nothing of the coordinator's environment is passed on. What
 * does not end in time is killed, together with what it started.
 */
import { spawn } from "node:child_process";
import { homedir, tmpdir } from "node:os";
import type { Pool } from "../../domain/pool.ts";
import { type CallDriver, DRIVER_TIMEOUT_MS, DriverError, RESPONSE_BYTES_MAX, readResponse } from "./driver-order.ts";

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const SHOWN_CHARS_MAX = 200;

export interface CommandDriverOptions {
  /** Absolute paths of the operator's programs, by the names that pools have for them. */
  readonly commands: ReadonlyMap<string, string>;
  /** The usual one where it is left out. */
  readonly timeoutMs?: number;
}

interface Ran {
  /** In words; null where it succeeded. */
  readonly failure: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function commandDriver({ commands, timeoutMs = DRIVER_TIMEOUT_MS }: CommandDriverOptions): CallDriver {
  return async (pool, { call, body }, signal) => {
    const name = commandOf(pool);
    const program = commands.get(name);
    if (program === undefined) {
      throw new DriverError(`this coordinator has no command ${name}: name it in ELASTIC_POOL_COMMANDS of all of them`);
    }
    signal.throwIfAborted();
    const { failure, stdout, stderr } = await run(program, call, body, timeoutMs, signal);
    signal.throwIfAborted();
    if (failure === null) return readResponse(call, stdout);
    const said = stderr.trim().slice(-SHOWN_CHARS_MAX).toWellFormed();
    throw new DriverError(said === "" ? `it ${failure}` : `it ${failure}: ${said}`);
  };
}

function commandOf({ id, driver }: Pool): string {
  if (driver.kind !== "command") throw new Error(`the driver of pool ${id} is no command`);
  return driver.name;
}

/** Never rejects. */
function run(program: string, call: string, input: string, timeoutMs: number, signal: AbortSignal): Promise<Ran> {
  return new Promise((resolve) => {
    const env = { PATH, HOME: homedir(), LANG: "C.UTF-8" };
    const child = spawn(program, [call], { cwd: tmpdir(), env, stdio: "pipe", detached: true });
    let killedFor: string | null = null;
    const kill = (why: string) => {
      killedFor ??= why;
      if (child.pid === undefined) return;
      try {
        // It leads its process group.
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // It has ended.
      }
      // Whoever left its group may still hold these.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const timer = setTimeout(() => kill(`did not end within ${timeoutMs / 1000} s and was killed`), timeoutMs);
    const abort = () => kill("was killed, since the coordinator stops");
    signal.addEventListener("abort", abort, { once: true });
    const stdout = boundedText(child.stdout, () => kill(`wrote more than ${RESPONSE_BYTES_MAX} bytes and was killed`));
    const stderr = boundedText(child.stderr, () => undefined);
    // One that reads no input may have ended before it is written.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    const end = (failure: string | null) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      resolve({ failure: killedFor ?? failure, stdout: stdout(), stderr: stderr() });
    };
    child.once("error", (error) => end(`could not be started: ${error.message}`));
    child.once("close", (code, ended) => end(code === 0 ? null : `exited with ${code ?? ended}`));
  });
}

function boundedText(stream: NodeJS.ReadableStream, onExcess: () => void): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on("error", () => undefined);
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= RESPONSE_BYTES_MAX) chunks.push(chunk);
    else onExcess();
  });
  return () => Buffer.concat(chunks).toString("utf8");
}
