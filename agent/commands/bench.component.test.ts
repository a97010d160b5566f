import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";
import { afterAll, expect, test } from "vitest";
import { changedLibrary, QUICK } from "../accel-library/testing/changed-library.ts";
import { fakeDriver } from "../gpus/testing/fake-driver.ts";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";

afterAll(removeTemporaryFolders);

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function bench(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ran> {
  const all = {
    ...COMPILE_CACHE,
    PATH: process.env.PATH ?? "",
    ELASTIC_STATE_DIR: join(temporaryFolder(), "state"),
    ...env,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, "bench", ...args], { env: all }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

const NO_GPU = { ELASTIC_NVML_LIBRARY: "libelastic-none.so.1" };

test("measures the processor, prints the result in words, and reports progress on the other stream", {
  timeout: 120_000,
}, async () => {
  const library = changedLibrary(QUICK);
  const env = { ...NO_GPU, ELASTIC_ACCEL_LIBRARY: library, ZKA_CPU: "portable" };
  const { code, stdout, stderr } = await bench(env, "--seconds", "0");
  const rates = /score [\d.]+: [\d.]+ M points\/s, [\d.]+ M elements\/s, at 2\^20/.source;
  expect(stdout).toMatch(new RegExp(`^cpu \\(.*, \\d+ threads, \\w+\\): ${rates}\nscore of this machine: [\\d.]+\n$`));
  expect(stderr).toContain("cpu: makes 2^20 points\ncpu: multiplies");
  expect(stderr).toContain("ZKA_CPU is left aside: ");
  expect(code).toBe(0);
});

test("reports an unusable GPU next to what was measured, and exits with an error", {
  timeout: 120_000,
}, async () => {
  const { library } = fakeDriver({ gpus: [{ uuid: "GPU-1", minor: 200 }] });
  const env = { ELASTIC_NVML_LIBRARY: library, ELASTIC_ACCEL_LIBRARY: changedLibrary(QUICK) };
  const { code, stdout } = await bench(env, "--seconds", "0", "--json");
  const [cpu, gpu] = JSON.parse(stdout).devices;
  expect(cpu).toEqual({
    device: "cpu",
    name: expect.any(String),
    score: expect.any(Number),
    msmPointsPerSecond: expect.any(Number),
    nttElementsPerSecond: expect.any(Number),
    failure: null,
  });
  expect(gpu).toMatchObject({ device: "GPU-1", score: null, failure: expect.stringContaining("nvidia200") });
  // Its GPUs are what such a machine is for.
  expect(JSON.parse(stdout).score).toBeNull();
  expect(code).toBe(1);
});

test("without a library that works there is nothing to measure with, and the error says what to do", {
  timeout: 120_000,
}, async () => {
  const none = await bench({ ...NO_GPU, ELASTIC_ACCEL_LIBRARY: "none" });
  expect(none).toMatchObject({ code: 1, stdout: "" });
  expect(none.stderr).toMatch(
    /^elastic-agent: ELASTIC_ACCEL_LIBRARY is none, .* unset it, or set it to a libzkaccel\.so$/m,
  );
  const missing = await bench({ ...NO_GPU, ELASTIC_ACCEL_LIBRARY: "/nowhere/libzkaccel.so" });
  expect(missing).toMatchObject({ code: 1, stdout: "" });
  expect(missing.stderr).toMatch(/\/nowhere\/libzkaccel\.so cannot be used: ENOENT.*ELASTIC_ACCEL_LIBRARY/);
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s ends the measuring, and its copies are gone",
  {
    timeout: 120_000,
  },
  async (signal) => {
    const hangs = QUICK.replace(/usleep\(1000\);/g, "for (;;) pause();");
    const [folder, state] = [temporaryFolder(), join(temporaryFolder(), "state")];
    const env = { ...COMPILE_CACHE, PATH: process.env.PATH ?? "", TMPDIR: folder, ELASTIC_STATE_DIR: state, ...NO_GPU };
    const all = { ...env, ELASTIC_ACCEL_LIBRARY: changedLibrary(hangs) };
    const child = spawn(process.execPath, [MAIN, "bench"], { env: all, stdio: ["ignore", "pipe", "pipe"] });
    const [out, reported] = [streamText(child.stdout), streamText(child.stderr)];
    await expect.poll(reported, { timeout: 60_000 }).toContain("cpu: multiplies");
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^elastic-accel-/)]);
    child.kill(signal);
    expect(await once(child, "close")).toEqual([1, null]);
    expect(out()).toContain("cpu: not measured: it was interrupted");
    expect(readdirSync(folder)).toEqual([]);
  },
);

/** What a stream has said by now. */
function streamText(stream: NodeJS.ReadableStream): () => string {
  let text = "";
  stream.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  return () => text;
}

test("a time that is none is refused", { timeout: 120_000 }, async () => {
  for (const seconds of ["soon", "121", ""]) {
    const { code, stderr } = await bench(NO_GPU, "--seconds", seconds);
    expect([code, stderr]).toEqual([2, expect.stringContaining("number of seconds, at most 120")]);
  }
});
