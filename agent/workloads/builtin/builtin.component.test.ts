/** Kernel hosts in each kind of sandbox, without an agent around them. */
import { chmodSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { ProverEnd } from "../../domain/driver.ts";
import { STATUS } from "../../kernels/status.ts";
import { FFI_LIBRARY } from "../../testing/start-test-agent.ts";
import { removeTemporaryFolders, temporaryFolder } from "../../testing/temporary-folder.ts";
import { hostEnd } from "./exit.ts";
import { type HostProcess, startHost } from "./host-process.ts";
import { hostCommand, type SandboxKind, whyNoSandbox } from "./sandbox.ts";
import { createSandboxRoot, type SandboxRoot } from "./sandbox-root.ts";

afterAll(removeTemporaryFolders);

const isRoot = process.getuid?.() === 0;
const KINDS: readonly SandboxKind[] = isRoot ? ["bubblewrap", "user"] : ["bubblewrap", "none"];
const PLENTY = 4 * 1024 ** 3;

/** A folder that any user may enter, unless it is closed. */
function folderOf(mode: number): string {
  const folder = temporaryFolder();
  chmodSync(folder, mode);
  return folder;
}

function start(
  kind: SandboxKind,
  root: SandboxRoot,
  prover: string,
  { memoryBytes = PLENTY, threads = 1, signal = new AbortController().signal } = {},
): Promise<HostProcess> {
  const args = [prover, `${threads}`, `${memoryBytes}`, "1"];
  const command = hostCommand({ kind, script: "host.ts", root, isRoot, args, extraFiles: [], openFilesMax: 1024 });
  return startHost(command, signal);
}

interface Answer {
  readonly status: number;
  readonly output: string;
}

function call(host: HostProcess, input: string): Promise<Answer | ProverEnd> {
  return begin(host, input).answer;
}

function begin(
  host: HostProcess,
  input: string,
): { readonly number: number; readonly answer: Promise<Answer | ProverEnd> } {
  const { promise: answer, resolve } = Promise.withResolvers<Answer | ProverEnd>();
  const bytes = Buffer.from(input);
  const number = host.call(bytes.length, bytes, {
    onOutput: () => undefined,
    onDone: (status, last) => resolve({ status, output: last.toString("utf8") }),
    onProgress: () => undefined,
    onEnded: resolve,
  });
  return { number, answer };
}

describe.each(KINDS)("a kernel host in a sandbox of the kind %s", (kind) => {
  test("proves, and its crash is seen as what it was", async () => {
    const root = await createSandboxRoot(join(folderOf(0o755), "root"), FFI_LIBRARY);
    expect(await whyNoSandbox(kind, root, isRoot)).toBeNull();
    const echo = await start(kind, root, "echo");
    expect(await call(echo, "[1]")).toEqual({ status: STATUS.ok, output: "[1]" });
    await echo.kill();
    const crash = await start(kind, root, "crash");
    expect(await call(crash, '{"how":"segv"}')).toMatchObject({ signal: "SIGSEGV", exitCode: 139, byAgent: false });
  });

  test("that takes more memory than it has is ended for that", async () => {
    const root = await createSandboxRoot(join(folderOf(0o755), "root"), FFI_LIBRARY);
    const host = await start(kind, root, "sleep", { memoryBytes: 1024 });
    expect(await call(host, '{"ms":600000}')).toMatchObject({ outOfMemory: true, byAgent: false });
  });
});

describe("calls of a host that come at once", () => {
  const SHORT = '{"ms":0}';
  const LONG = '{"ms":600000}';
  const done = { status: STATUS.ok };
  const cancelled = { status: STATUS.cancelled };

  async function sleeping(threads: number): Promise<HostProcess> {
    const host = await start(
      isRoot ? "user" : "none",
      await createSandboxRoot(join(folderOf(0o755), "root"), FFI_LIBRARY),
      "sleep",
      {
        threads,
      },
    );
    // Short ones, so that the next go to a thread several at a time.
    for (let count = 0; count < 3; count++) expect(await call(host, SHORT)).toMatchObject(done);
    return host;
  }

  test("are all made, each once, and what waits behind a long one is made by another thread", async () => {
    const host = await sleeping(2);
    const answers = await Promise.all(Array.from({ length: 50 }, () => call(host, SHORT)));
    expect(answers).toHaveLength(50);
    for (const answer of answers) expect(answer).toMatchObject(done);
    // The long one comes among them, in the middle of what a thread is given at once.
    const before = Array.from({ length: 30 }, () => call(host, SHORT));
    const long = begin(host, LONG);
    const behind = Array.from({ length: 20 }, () => call(host, SHORT));
    for (const answer of await Promise.all([...before, ...behind])) expect(answer).toMatchObject(done);
    host.cancel(long.number);
    expect(await long.answer).toMatchObject(cancelled);
    await host.kill();
  });

  test("are cancelled one by one, whether they run or wait", async () => {
    const host = await sleeping(1);
    const before = Array.from({ length: 20 }, () => call(host, SHORT));
    const calls = [LONG, SHORT, LONG, SHORT].map((input) => begin(host, input));
    const [running, second, third, last] = calls;
    if (running === undefined || second === undefined || third === undefined || last === undefined) throw new Error();
    host.cancel(third.number);
    expect(await third.answer).toMatchObject(cancelled);
    host.cancel(second.number);
    expect(await second.answer).toMatchObject(cancelled);
    host.cancel(running.number);
    expect(await running.answer).toMatchObject(cancelled);
    for (const answer of [last.answer, ...before]) expect(await answer).toMatchObject(done);
    await host.kill();
  });
});

test("ends a kernel host that is aborted while its sandbox is created", async () => {
  const root = await createSandboxRoot(join(folderOf(0o755), "root"), FFI_LIBRARY);
  const givenUp = Array.from({ length: 24 }, async (_, n) => {
    const order = new AbortController();
    const host = start("bubblewrap", root, "noop", { signal: order.signal });
    setTimeout(() => order.abort(new Error("aborted")), n);
    await expect(host).rejects.toThrow("aborted");
  });
  await Promise.all(givenUp);
});

test("reports what the library says against a prover as the reason why it does not start", async () => {
  const root = await createSandboxRoot(join(folderOf(0o755), "root"), FFI_LIBRARY);
  await expect(start("bubblewrap", root, "nothing")).rejects.toThrow("the prover cannot work: ");
});

test("a kernel host works from a folder that its user cannot enter", async () => {
  const root = await createSandboxRoot(join(folderOf(0o700), "root"), FFI_LIBRARY);
  const host = await start("bubblewrap", root, "noop");
  expect(await call(host, "{}")).toEqual({ status: STATUS.ok, output: '"ok"' });
  await host.kill();
});

test("replaces a root by a new one, with files that any user may read", async () => {
  const folder = join(folderOf(0o755), "root");
  mkdirSync(folder);
  const umask = process.umask(0o077);
  const root = await createSandboxRoot(folder, FFI_LIBRARY).finally(() => process.umask(umask));
  expect(readFileSync(root.libraryFile).equals(readFileSync(FFI_LIBRARY))).toBe(true);
  const kind = isRoot ? "user" : "none";
  expect(await whyNoSandbox(kind, root, isRoot)).toBeNull();
});

test("the end of a host is read through the codes of what wraps it", () => {
  expect(hostEnd(139, null, "", false)).toEqual({
    exitCode: 139,
    signal: "SIGSEGV",
    outOfMemory: false,
    byAgent: false,
  });
  expect(hostEnd(null, "SIGKILL", "", true)).toEqual({
    exitCode: 137,
    signal: "SIGKILL",
    outOfMemory: false,
    byAgent: true,
  });
  expect(hostEnd(134, null, "", false)).toMatchObject({ signal: "SIGABRT" });
  expect(hostEnd(3, null, "", false)).toMatchObject({ exitCode: 3, signal: null });
  expect(hostEnd(134, null, "memory allocation of 99 bytes failed", false)).toMatchObject({ outOfMemory: true });
});

test("a prover with a GPU is given that GPU's device files and no others", () => {
  const root = {
    folder: "/srv/sandbox",
    kernels: "/srv/sandbox/kernels",
    libraryFile: "/srv/sandbox/lib.so",
    nodeFile: "/bin/node",
  };
  const gpus = { uuids: ["GPU-1"], devices: ["/dev/nvidia3", "/dev/nvidiactl"] };
  const options = { kind: "bubblewrap", script: "host.ts", root, isRoot: true, args: [], extraFiles: [] } as const;
  const { args, env } = hostCommand({ ...options, gpus, openFilesMax: 1024 });
  const bound = args.flatMap((arg, index) => (arg === "--dev-bind" ? [args[index + 1]] : []));
  expect(bound).toEqual(["/dev/nvidia3", "/dev/nvidiactl"]);
  expect(env).toEqual({ CUDA_VISIBLE_DEVICES: "GPU-1" });
  expect(hostCommand({ ...options, openFilesMax: 1024 }).args).not.toContain("--dev-bind");
});
