/** A machine that was just enrolled, with a real library that a test has changed. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { changedLibrary, QUICK } from "../accel-library/testing/changed-library.ts";
import { loadMachineConfig } from "../config/config.ts";
import { fakeDriver } from "../gpus/testing/fake-driver.ts";
import { makeTestCa } from "../testing/certificates.ts";
import { scriptCoordinator } from "../testing/scripted-coordinator.ts";
import { scriptEnrollment } from "../testing/scripted-enrollment.ts";
import { startTestAgent, testConfig } from "../testing/start-test-agent.ts";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { measureEnrolled } from "./measure-enrolled.ts";

afterAll(removeTemporaryFolders);

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const NO_GPU = "libelastic-none.so.1";
const SLOW = { timeout: 120_000 };
const CRASHES = "uint32_t zka_abi_version(void) { abort(); }";
/** A second for what is quick. */
const A_SECOND_EACH = QUICK.replaceAll("usleep(1000)", "usleep(1000000)");

interface Measured {
  readonly stateDir: string;
  readonly text: string | null;
  readonly progress: readonly string[];
}

async function measure(env: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Measured> {
  const stateDir = env.ELASTIC_STATE_DIR ?? join(temporaryFolder(), "state");
  const progress: string[] = [];
  const settings = { ELASTIC_NVML_LIBRARY: NO_GPU, ...env, ELASTIC_STATE_DIR: stateDir };
  const given = signal ?? new AbortController().signal;
  const text = await measureEnrolled(() => loadMachineConfig(settings), {
    signal: given,
    onProgress: (line) => progress.push(line),
  });
  return { stateDir, text, progress };
}

test("measures a machine once, and its agent's first hello has the speed", SLOW, async () => {
  const library = changedLibrary(QUICK);
  const { stateDir, text } = await measure({ ELASTIC_ACCEL_LIBRARY: library });
  expect(text).toMatch(/^score of this machine: [\d.]+$/);
  const again = await measure({ ELASTIC_ACCEL_LIBRARY: library, ELASTIC_STATE_DIR: stateDir });
  expect(again).toMatchObject({ text, progress: [] });

  const ca = makeTestCa(join(temporaryFolder(), "ca"));
  const coordinator = await scriptCoordinator(ca.server());
  const more = { ffiLibrary: null, nvmlLibrary: NO_GPU, accelLibrary: library, stateDir };
  const agent = await startTestAgent(testConfig(ca.node("n1"), [coordinator.address], more));
  onTestFinished(async () => {
    await agent.stop();
    coordinator.kill();
  });
  expect((await coordinator.linked()).inventory?.cpuSpeed?.msmPointsPerSecond).toBeGreaterThan(0);
  // One that runs measures on its own.
  expect((await measure({ ELASTIC_ACCEL_LIBRARY: library, ELASTIC_STATE_DIR: stateDir })).text).toBeNull();
});

test("reports a library that crashes, and a wrong setting, and leaves the score to the agent", SLOW, async () => {
  const crashed = await measure({ ELASTIC_ACCEL_LIBRARY: changedLibrary(CRASHES) });
  const later = "the agent tries again once it runs";
  expect(crashed.text).toBe(`this machine has no score yet (cpu: the library crashed (SIGABRT)); ${later}`);
  const wrong = await measure({ ELASTIC_SLOTS: "0" });
  expect(wrong.text).toMatch(/^this machine has no score yet \(.*ELASTIC_SLOTS.*\); the agent tries again/s);
});

test("measures and reports nothing on a machine without a library", async () => {
  const { stateDir, text } = await measure({ ELASTIC_ACCEL_LIBRARY: "none" });
  expect([text, existsSync(stateDir)]).toEqual([null, false]);
});

test("a GPU that cannot be measured keeps no other device from it", SLOW, async () => {
  const { library: nvml } = fakeDriver({ gpus: [{ uuid: "GPU-1", minor: 200 }] });
  const env = { ELASTIC_NVML_LIBRARY: nvml, ELASTIC_ACCEL_LIBRARY: changedLibrary(QUICK) };
  const { stateDir, text } = await measure(env);
  expect(text).toMatch(/^this machine has no score yet \(GPU-1: .*nvidia200.*\); the agent/);
  // Without the GPU it is what the processor was measured at.
  const { ELASTIC_ACCEL_LIBRARY } = env;
  expect((await measure({ ELASTIC_ACCEL_LIBRARY, ELASTIC_STATE_DIR: stateDir })).text).toMatch(/^score of this/);
});

test("whoever gives it up has a node all the same", async () => {
  const hangs = changedLibrary("uint32_t zka_abi_version(void) { for (;;) pause(); }");
  const { text } = await measure({ ELASTIC_ACCEL_LIBRARY: hangs }, AbortSignal.abort());
  expect(text).toMatch(/^this machine has no score yet \(cpu: it was interrupted\); the agent/);
});

test.each([
  [
    "what takes its time is reported as it proceeds",
    A_SECOND_EACH,
    /^score of this machine: /m,
    /^measures this machine: cpu: /,
  ],
  ["what fails fails no enrollment", CRASHES, /^this machine has no score yet /m, /^$/],
])("as a program: %s", SLOW, async (_, functions, said, progress) => {
  const coordinator = await scriptEnrollment();
  onTestFinished(() => coordinator.stop());
  const line = ["--coordinator", coordinator.address, "--token", "ejt_1", "--ca-sha256", coordinator.caSha256];
  const env = {
    ...COMPILE_CACHE,
    PATH: process.env.PATH ?? "",
    ELASTIC_STATE_DIR: join(temporaryFolder(), "state"),
    ELASTIC_NVML_LIBRARY: NO_GPU,
    ELASTIC_ACCEL_LIBRARY: changedLibrary(functions),
  };
  const ran = await new Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>(
    (resolve) =>
      execFile(process.execPath, [MAIN, "enroll", ...line, "--node", "gpu-1"], { env }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      ),
  );
  expect(ran.code).toBe(0);
  expect(ran.stdout).toMatch(/^this machine is node gpu-1; /);
  expect(ran.stdout).toMatch(said);
  expect(ran.stderr).toMatch(progress);
});
