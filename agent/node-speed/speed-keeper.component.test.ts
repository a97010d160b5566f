import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterAll, expect, onTestFinished, test } from "vitest";
import type { Device, Measured } from "../accel-library/accel-library.ts";
import { openDriver } from "../gpus/driver-process.ts";
import { keepGpus } from "../gpus/gpu-keeper.ts";
import { type FakeMachine, fakeDriver, GIB } from "../gpus/testing/fake-driver.ts";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { keepSpeeds, type SpeedKeeperOptions } from "./speed-keeper.ts";

afterAll(removeTemporaryFolders);

const log = createLog({ name: "speeds", level: "silent" });
const TIMES = {
  readEveryMs: 50,
  freeWithinMs: 400,
  test: { firstMs: 50, longestMs: 200 },
  retry: { firstMs: 50, longestMs: 200 },
};
const SOON = { timeout: 20_000 };
const SPEED = { msmPointsPerSecond: 2e6, nttElementsPerSecond: 8e6 };
const MEASURED: Measured = { info: { backend: "", isa: "", threads: 1, name: "" }, speed: SPEED };

async function gpusOf(machine: FakeMachine) {
  const driver = fakeDriver(machine);
  const gpus = await keepGpus({
    driver: openDriver(driver.library),
    selfTest: async () => null,
    onChange: () => undefined,
    onXid: () => undefined,
    times: TIMES,
    clock: systemClock,
    log,
  });
  gpus.run();
  onTestFinished(() => gpus.stop());
  return { gpus, driver };
}

/** A library that responds as scripted, and remembers what was measured. */
function libraryOf(measure: (device: Device) => Promise<Measured> = async () => MEASURED) {
  const requested: Device[] = [];
  return {
    requested,
    version: "1",
    hasCuda: true,
    measure: (device: Device) => {
      requested.push(device);
      return measure(device);
    },
  };
}

function keep(options: Pick<SpeedKeeperOptions, "library" | "gpus"> & Partial<SpeedKeeperOptions>) {
  let reported = 0;
  const onMeasured = () => {
    reported += 1;
  };
  const file = join(temporaryFolder(), "speeds.json");
  const keeper = keepSpeeds({ file, onMeasured, firstAfterMs: 0, lookEveryMs: 20, log, ...options });
  keeper.run();
  onTestFinished(() => keeper.stop());
  return { keeper, reported: () => reported };
}

test("measures and reports each device once, also in the next agent with the same library", async () => {
  const { gpus } = await gpusOf({ gpus: [{ uuid: "GPU-1" }] });
  const file = join(temporaryFolder(), "speeds.json");
  const first = libraryOf();
  const { keeper, reported } = keep({ library: first, gpus, file });
  await expect.poll(reported, SOON).toBe(1);
  expect(first.requested).toEqual([null, "GPU-1"]);
  expect([keeper.of(null), keeper.of("GPU-1"), keeper.of("GPU-2")]).toEqual([SPEED, SPEED, null]);
  keeper.stop();

  const again = libraryOf();
  expect(keep({ library: again, gpus, file }).keeper.of("GPU-1")).toEqual(SPEED);
  const newer = { ...libraryOf(), version: "2" };
  const next = keep({ library: newer, gpus, file });
  expect(next.keeper.of("GPU-1")).toBeNull();
  await expect.poll(() => newer.requested, SOON).toEqual([null, "GPU-1"]);
  expect(again.requested).toEqual([]);
});

test("an agent that has just started measures nothing yet", async () => {
  const { gpus } = await gpusOf({ gpus: [] });
  const library = libraryOf();
  keep({ library, gpus, firstAfterMs: 3_600_000 });
  expect(library.requested).toEqual([]);
});

test("a GPU that came later is measured, one in use only once it is free, and nobody has it meanwhile", async () => {
  const busy = { uuid: "GPU-1", usedBytes: GIB, processes: [{ pid: 7, bytes: GIB }] };
  const { gpus, driver } = await gpusOf({ gpus: [busy] });
  const held: (string | null | undefined)[] = [];
  const library = libraryOf(async (device) => {
    held.push(gpus.list().find(({ uuid }) => uuid === device)?.holder);
    return MEASURED;
  });
  const { keeper, reported } = keep({ library, gpus });
  await expect.poll(reported, SOON).toBe(1);
  driver.say({ gpus: [busy, { uuid: "GPU-2" }] });
  await expect.poll(() => keeper.of("GPU-2"), SOON).toEqual(SPEED);
  expect(library.requested).toEqual([null, "GPU-2"]);
  driver.say({ gpus: [{ uuid: "GPU-1" }, { uuid: "GPU-2" }] });
  await expect.poll(() => keeper.of("GPU-1"), SOON).toEqual(SPEED);
  expect(held).toEqual([undefined, "measurement", "measurement"]);
  await expect.poll(() => gpus.list().map(({ holder }) => holder), SOON).toEqual([null, null]);
});

test("a device that cannot be measured has no score, is not tried again, and keeps no other from its own", async () => {
  const { gpus } = await gpusOf({ gpus: [{ uuid: "GPU-1" }, { uuid: "GPU-2" }] });
  const library = libraryOf(async (device) => {
    if (device === "GPU-1") throw new Error("the library crashed (SIGSEGV)");
    return MEASURED;
  });
  const { keeper } = keep({ library, gpus });
  await expect.poll(() => keeper.of("GPU-2"), SOON).toEqual(SPEED);
  expect(keeper.of("GPU-1")).toBeNull();
  await expect.poll(() => gpus.list().map(({ holder }) => holder), SOON).toEqual([null, null]);
  expect(library.requested).toEqual([null, "GPU-1", "GPU-2"]);
});

test("a GPU that cannot be had now is measured at a later look", async () => {
  const { gpus } = await gpusOf({ gpus: [{ uuid: "GPU-1" }] });
  let refusals = 2;
  const take: typeof gpus.take = async (...args) => {
    if (refusals-- > 0) throw new Error("the GPU driver does not work");
    return gpus.take(...args);
  };
  const library = libraryOf();
  const { keeper } = keep({ library, gpus: { list: () => gpus.list(), take } });
  await expect.poll(() => keeper.of("GPU-1"), SOON).toEqual(SPEED);
  expect(library.requested).toEqual([null, "GPU-1"]);
});

test("GPUs without a plug-in, and machines without a library, have no score", async () => {
  const { gpus } = await gpusOf({ gpus: [{ uuid: "GPU-1" }] });
  const library = { ...libraryOf(), hasCuda: false };
  await expect.poll(keep({ library, gpus }).reported, SOON).toBe(1);
  expect(library.requested).toEqual([null]);
  const file = join(temporaryFolder(), "none.json");
  expect(keep({ library: null, gpus, file }).keeper.of(null)).toBeNull();
  expect(existsSync(file)).toBe(false);
});

test("a file of speeds that is damaged is as good as none", async () => {
  const { gpus } = await gpusOf({ gpus: [] });
  const file = join(temporaryFolder(), "speeds.json");
  writeFileSync(file, '{"version":"1-1","speeds":[[');
  const library = libraryOf();
  await expect.poll(keep({ library, gpus, file }).reported, SOON).toBe(1);
  expect(library.requested).toEqual([null]);
});
