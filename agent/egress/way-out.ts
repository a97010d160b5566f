/**
 * A container's way to its proxy: a process that listens on the loopback address of the container's network and hands
 * connections to a Unix socket of the host. It enters the network and nothing else of the container, which stays
 * without any other. It dies with the agent, and is started again while the container runs.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { pause } from "@elastic/std/pause.ts";
import { type AllowProxyOptions, CONNECTIONS_MAX, startAllowProxy } from "./allow-proxy.ts";

export interface WayOutOptions extends AllowProxyOptions {
  /** The container's first process, as the host counts. */
  readonly pid: number;
  /** Whether the container runs as that process still: its number may have passed to another. */
  readonly stillRuns: () => Promise<boolean>;
}

export interface WayOut {
  stop(): Promise<void>;
}

/** Where programs in the container find it. */
const PROXY_PORT = 3128;
export const PROXY_ENV = ["http_proxy", "https_proxy"]
  .map((name) => `${name}=http://127.0.0.1:${PROXY_PORT}`)
  .concat("no_proxy=localhost,127.0.0.1");

const LISTENS_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 5;
const AGAIN_AFTER_MS = 1_000;

/** Resolves once it was tried: what is in its way there is the shell's own, and is tried again. */
export async function openWayOut(options: WayOutOptions): Promise<WayOut> {
  const over = new AbortController();
  const proxy = await startAllowProxy(options);
  const tried = Promise.withResolvers<void>();
  const held = keep(options, over.signal, () => tried.resolve());
  await tried.promise;
  return {
    stop: async () => {
      over.abort();
      await held;
      await proxy.stop();
    },
  };
}

async function keep(options: WayOutOptions, over: AbortSignal, tried: () => void): Promise<void> {
  while (!over.aborted) {
    const relay = startRelay(options);
    const end = () => relay.child.kill("SIGKILL");
    over.addEventListener("abort", end, { once: true });
    const why = await listens(options.pid, relay.ended);
    if (why === null && !(await options.stillRuns().catch(() => false))) end();
    if (why !== null) end();
    tried();
    const ended = await relay.ended;
    over.removeEventListener("abort", end);
    if (over.aborted) return;
    options.log.warn({ why: why ?? ended }, "a way out ended and is opened again");
    await pause(AGAIN_AFTER_MS, over);
  }
}

interface Relay {
  readonly child: ChildProcess;
  readonly ended: Promise<string>;
}

function startRelay({ pid, socketPath }: WayOutOptions): Relay {
  const listen = `TCP4-LISTEN:${PROXY_PORT},bind=127.0.0.1,reuseaddr,fork,max-children=${CONNECTIONS_MAX}`;
  const child = spawn(
    "setpriv",
    ["--pdeathsig", "KILL", "nsenter", `--net=/proc/${pid}/ns/net`, "socat", listen, `UNIX-CONNECT:${socketPath}`],
    { stdio: "ignore" },
  );
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(`it ended with ${signal ?? code}`));
  });
  return { child, ended };
}

/** Null once something listens there, else why not. */
async function listens(pid: number, ended: Promise<string>): Promise<string | null> {
  let why: string | null = null;
  void ended.then((text) => {
    why = text;
  });
  for (const until = performance.now() + LISTENS_WITHIN_MS; performance.now() < until; ) {
    if (why !== null) return why;
    if (await isListening(pid)) return null;
    await pause(LOOK_EVERY_MS, new AbortController().signal);
  }
  return "it does not listen";
}

/** As the kernel lists the container's network: the address, the port and the state of a listener in hexadecimal. */
async function isListening(pid: number): Promise<boolean> {
  const port = PROXY_PORT.toString(16).toUpperCase().padStart(4, "0");
  const table = await readFile(`/proc/${pid}/net/tcp`, "utf8").catch(() => "");
  return table.includes(` 0100007F:${port} 00000000:0000 0A `);
}
