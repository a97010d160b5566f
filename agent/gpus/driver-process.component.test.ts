import { existsSync, renameSync } from "node:fs";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { removeTemporaryFolders } from "../testing/temporary-folder.ts";
import { type DriverProcess, openDriver } from "./driver-process.ts";
import { splitName } from "./nvml/read-gpus.ts";
import { type FakeMachine, fakeDriver, GIB } from "./testing/fake-driver.ts";

afterAll(removeTemporaryFolders);

const TWO: FakeMachine = { gpus: [{ uuid: "GPU-1" }, { uuid: "GPU-2" }] };

function open(library: string, deadlineMs?: number): DriverProcess {
  const driver = openDriver(library, deadlineMs);
  onTestFinished(() => driver.close());
  return driver;
}

test("a machine without a driver has no GPUs, and that is no fault", async () => {
  expect(await open("libelastic-no-such-driver.so.1").read(0)).toEqual({ kind: "no-driver" });
});

test("a GPU is read with all that the driver says of it", async () => {
  const processes = [{ pid: 77, bytes: 3 * GIB }];
  const figures = { usedBytes: 3 * GIB, celsius: 66, watts: 412, percent: 93, corrected: 5, uncorrected: 1 };
  const { library } = fakeDriver({ gpus: [{ uuid: "GPU-1", minor: 4, processes, ...figures }] });
  expect(await open(library).read(0)).toEqual({
    kind: "read",
    reading: {
      gpus: [
        {
          uuid: "GPU-1",
          model: "NVIDIA H200",
          migProfile: "",
          parentUuid: "",
          pciId: "00000000:05:00.0",
          computeCapability: "9.0",
          driverVersion: "570.1",
          memoryBytes: 140 * GIB,
          usedBytes: 3 * GIB,
          countsReserved: false,
          processes: [{ pid: 77, memoryBytes: 3 * GIB }],
          minor: 4,
          instance: null,
          temperatureCelsius: 66,
          powerWatts: 412,
          utilisation: 0.93,
          eccCorrected: 5,
          eccUncorrected: 1,
        },
      ],
      unread: [],
      events: [],
    },
  });
});

test("a GPU that is cut into instances is its instances", async () => {
  const instances = [
    { uuid: "MIG-1", profile: "1g.18gb", gpu: 7, totalBytes: 18 * GIB },
    { uuid: "MIG-2", profile: "3g.71gb", gpu: 2, totalBytes: 71 * GIB, usedBytes: GIB },
  ];
  const { library } = fakeDriver({ gpus: [{ uuid: "GPU-1" }, { uuid: "GPU-2", instances }] });
  const answer = await open(library).read(0);
  expect(answer).toMatchObject({
    reading: {
      gpus: [
        { uuid: "GPU-1", migProfile: "" },
        { uuid: "MIG-1", migProfile: "1g.18gb", parentUuid: "GPU-2", instance: { gpu: 7, compute: 0 }, minor: 1 },
        { uuid: "MIG-2", model: "NVIDIA H200", memoryBytes: 71 * GIB, usedBytes: GIB, pciId: "00000000:02:00.0" },
      ],
    },
  });
});

test("reports an Xid as soon as it happens, once, with the instance it happened in", async () => {
  const driver = fakeDriver(TWO);
  const process = open(driver.library);
  await process.read(0);
  const requested = process.read(10_000);
  const xids = [{ uuid: "GPU-2", code: 79 }];
  driver.say({ ...TWO, xids });
  expect(await requested).toMatchObject({ reading: { events: [{ uuid: "GPU-2", gpuInstance: null, xid: 79 }] } });
  driver.say({ ...TWO, xids: [...xids, { uuid: "GPU-1", code: 31, gpuInstance: 3 }] });
  expect(await process.read(0)).toMatchObject({ reading: { events: [{ uuid: "GPU-1", gpuInstance: 3, xid: 31 }] } });
  expect(await process.read(0)).toMatchObject({ reading: { events: [] } });
});

test("reports a GPU that fell off the bus, and hides no other", async () => {
  const { library } = fakeDriver({ gpus: [{ uuid: "GPU-1", lost: true }, { uuid: "GPU-2" }] });
  expect(await open(library).read(0)).toMatchObject({
    reading: {
      gpus: [{ uuid: "GPU-2" }],
      unread: [{ uuid: null, why: "nvmlDeviceGetHandleByIndex_v2 returned 15 (GPU is lost)" }],
    },
  });
});

test("reports a driver that crashes, and queries it again with success", async () => {
  const driver = fakeDriver({ ...TWO, crash: "nvmlDeviceGetName" });
  const process = open(driver.library);
  expect(await process.read(0)).toMatchObject({ kind: "broken", why: expect.stringContaining("SIGABRT") });
  driver.say(TWO);
  expect(await process.read(0)).toMatchObject({ kind: "read" });
});

test("ends a driver that hangs, and queries it again with success", { timeout: 60_000 }, async () => {
  const driver = fakeDriver({ ...TWO, hang: "nvmlInit_v2" });
  const process = open(driver.library, 3_000);
  expect(await process.read(0)).toMatchObject({ kind: "broken", why: expect.stringContaining("did not respond") });
  driver.say(TWO);
  await expect.poll(() => process.read(0)).toMatchObject({ kind: "read" });
});

test("reports a driver that refuses", async () => {
  const { library } = fakeDriver({ ...TWO, fail: { call: "nvmlInit_v2", status: 9 } });
  const answer = await open(library).read(0);
  expect(answer).toMatchObject({ kind: "broken", why: expect.stringContaining("nvmlInit_v2 returned 9") });
});

test("a driver that vanishes under the agent is no driver until it is back", async () => {
  const driver = fakeDriver(TWO);
  const process = open(driver.library);
  expect(await process.read(0)).toMatchObject({ kind: "read" });
  renameSync(driver.library, `${driver.library}.away`);
  driver.say({ ...TWO, fail: { call: "nvmlDeviceGetCount_v2", status: 9 } });
  expect(await process.read(0)).toMatchObject({ kind: "broken" });
  await expect.poll(() => process.read(0)).toEqual({ kind: "no-driver" });
  renameSync(`${driver.library}.away`, driver.library);
  driver.say(TWO);
  await expect.poll(() => process.read(0)).toMatchObject({ kind: "read" });
  expect(existsSync(driver.library)).toBe(true);
});

test("an instance's name splits into model and profile", () => {
  expect(splitName("NVIDIA A100-SXM4-40GB MIG 1g.5gb")).toEqual({
    model: "NVIDIA A100-SXM4-40GB",
    migProfile: "1g.5gb",
  });
  expect(splitName("NVIDIA H200")).toEqual({ model: "NVIDIA H200", migProfile: "" });
});
