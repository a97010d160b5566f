/** A complete agent with an acceleration library: what its coordinator and its operator learn of its speed. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createLog } from "@elastic/std/log.ts";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { openAccelLibrary } from "../accel-library/accel-library.ts";
import { changedLibrary, QUICK } from "../accel-library/testing/changed-library.ts";
import { status } from "../commands/status.ts";
import { makeTestCa } from "../testing/certificates.ts";
import { type ScriptedCoordinator, scriptCoordinator } from "../testing/scripted-coordinator.ts";
import { ACCEL_LIBRARY, startTestAgent, testConfig } from "../testing/start-test-agent.ts";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { nameOf, speedsVersion } from "./speed-keeper.ts";
import { writeSpeeds } from "./speeds-file.ts";

afterAll(removeTemporaryFolders);

async function start(accelLibrary: string, stateDir: string): Promise<ScriptedCoordinator> {
  const ca = makeTestCa(join(temporaryFolder(), "ca"));
  const coordinator = await scriptCoordinator(ca.server());
  const more = { ffiLibrary: null, nvmlLibrary: "libelastic-none.so.1", accelLibrary, stateDir };
  const agent = await startTestAgent(testConfig(ca.node("n1"), [coordinator.address], more));
  onTestFinished(async () => {
    await agent.stop();
    coordinator.kill();
  });
  return coordinator;
}

function newState(): string {
  return join(temporaryFolder(), "state");
}

async function scoreOf(stateDir: string): Promise<unknown> {
  return (JSON.parse((await status({ ELASTIC_STATE_DIR: stateDir }, { json: true })).text) as { score: unknown }).score;
}

test("measures a machine after its first hello, and reports it with another", { timeout: 120_000 }, async () => {
  const stateDir = newState();
  const coordinator = await start(changedLibrary(QUICK), stateDir);
  await coordinator.linked();
  expect(coordinator.hellos[0]?.inventory?.cpuSpeed).toBeUndefined();
  const reported = () => coordinator.hellos.at(-1)?.inventory?.cpuSpeed?.msmPointsPerSecond ?? 0;
  await expect.poll(reported, { timeout: 110_000 }).toBeGreaterThan(0);
  expect(await scoreOf(stateDir)).toBeGreaterThan(0);
});

test("reports earlier measurements with the first hello", async () => {
  const stateDir = newState();
  mkdirSync(stateDir);
  const log = createLog({ name: "accel", level: "silent" });
  const library = await openAccelLibrary(ACCEL_LIBRARY, join(temporaryFolder(), "accel"), () => [], log);
  const speed = { msmPointsPerSecond: 1e6, nttElementsPerSecond: 4e6 };
  writeSpeeds(join(stateDir, "speeds.json"), speedsVersion(library), new Map([[nameOf(null), speed]]));
  const coordinator = await start(ACCEL_LIBRARY, stateDir);
  expect((await coordinator.linked()).inventory?.cpuSpeed).toEqual(speed);
  expect(await scoreOf(stateDir)).toBe(2);
});

test("an agent whose library is not there, or crashes, runs on without a score", async () => {
  for (const library of ["/nowhere/libzkaccel.so", changedLibrary("uint32_t zka_abi_version(void) { abort(); }")]) {
    const stateDir = newState();
    const coordinator = await start(library, stateDir);
    expect((await coordinator.linked()).inventory?.cpuSpeed).toBeUndefined();
    expect(await scoreOf(stateDir)).toBeNull();
  }
});
