import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { removeTemporaryFolders } from "../testing/temporary-folder.ts";
import { openDriver } from "./driver-process.ts";
import { type GpuKeeper, type GpuKeeperOptions, keepGpus } from "./gpu-keeper.ts";
import { type FakeDriver, type FakeMachine, fakeDriver, GIB } from "./testing/fake-driver.ts";

afterAll(removeTemporaryFolders);

const TIMES = {
  readEveryMs: 50,
  freeWithinMs: 400,
  test: { firstMs: 50, longestMs: 200 },
  retry: { firstMs: 50, longestMs: 200 },
};
/** Short, since a driver that hangs is waited for so long; yet the process that queries it starts within. */
const SHORT_DEADLINE_MS = 3_000;
const TWO: FakeMachine = { gpus: [{ uuid: "GPU-1" }, { uuid: "GPU-2" }] };
const BUSY: FakeMachine = {
  gpus: [{ uuid: "GPU-1", usedBytes: GIB, processes: [{ pid: 7, bytes: GIB }] }, { uuid: "GPU-2" }],
};

async function keep(
  machine: FakeMachine,
  more: Partial<GpuKeeperOptions> & { readonly deadlineMs?: number } = {},
): Promise<{ readonly keeper: GpuKeeper; readonly driver: FakeDriver; readonly changes: string[] }> {
  const driver = fakeDriver(machine);
  const changes: string[] = [];
  const keeper = await keepGpus({
    driver: openDriver(driver.library, more.deadlineMs ?? 5_000),
    selfTest: async () => null,
    onChange: (what) => changes.push(what),
    onXid: () => undefined,
    times: TIMES,
    clock: systemClock,
    log: createLog({ name: "gpus", level: "silent" }),
    ...more,
  });
  keeper.run();
  onTestFinished(() => keeper.stop());
  return { keeper, driver, changes };
}

const never = new AbortController().signal;
const reasons = (keeper: GpuKeeper) => keeper.list().map((gpu) => gpu.whyUnhealthy());
/** Passes never: what a test looks at stays in quarantine. */
const unpassable = { selfTest: async () => "wrong answer" };

test("a GPU goes to one workload, and to the next one only once it is free", async () => {
  const { keeper, driver } = await keep(TWO);
  const held = await keeper.take(["GPU-1"], "a1", false, never);
  driver.say(BUSY);
  await expect.poll(() => keeper.list()[0]?.reading.usedBytes).toBe(GIB);
  let next = "waits";
  const taken = keeper.take(["GPU-1"], "a2", false, never).then(() => {
    next = "has it";
  });
  held.release();
  expect(keeper.list()[0]).toMatchObject({ holder: "a1" });
  expect(next).toBe("waits");
  driver.say(TWO);
  await taken;
  expect(keeper.list()[0]).toMatchObject({ holder: "a2", health: { kind: "healthy" } });
});

test("a GPU whose memory is not free after a workload gets nothing, and is back once it is free and tested", async () => {
  const tests: string[] = [];
  const selfTest = async (uuid: string) => {
    tests.push(uuid);
    return null;
  };
  const { keeper, driver, changes } = await keep(TWO, { selfTest });
  const held = await keeper.take(["GPU-1"], "a1", false, never);
  driver.say({ gpus: [{ uuid: "GPU-1", usedBytes: 3 * GIB }, { uuid: "GPU-2" }] });
  await expect.poll(() => keeper.list()[0]?.reading.usedBytes).toBe(3 * GIB);
  held.release();
  await expect.poll(() => reasons(keeper)).toEqual([expect.stringContaining("3072 MiB"), null]);
  await expect(keeper.take(["GPU-1"], "a2", false, never)).rejects.toMatchObject({ reason: "gpu_fault" });
  expect(tests).toEqual([]);
  driver.say(TWO);
  await expect.poll(() => reasons(keeper)).toEqual([null, null]);
  expect(tests).toEqual(["GPU-1"]);
  expect(changes).toContain("health");
  await keeper.take(["GPU-1"], "a2", false, never);
});

test("a GPU that somebody else uses is given to no workload", async () => {
  const { keeper } = await keep(BUSY);
  await expect(keeper.take(["GPU-1"], "a1", false, never)).rejects.toMatchObject({
    reason: "gpu_fault",
    message: expect.stringContaining("process 7"),
  });
});

test("a workload of an earlier agent keeps the GPU that it uses", async () => {
  const { keeper } = await keep(BUSY);
  await keeper.take(["GPU-1"], "a1", true, never);
  expect(keeper.list()[0]).toMatchObject({ holder: "a1", health: { kind: "healthy" } });
});

test("quarantines the GPU of a critical Xid, and notifies its holder", async () => {
  const { keeper, driver } = await keep(TWO, unpassable);
  const held = await keeper.take(["GPU-2"], "a1", false, never);
  expect(await held.faultByNow()).toBeNull();
  driver.say({ ...TWO, xids: [{ uuid: "GPU-2", code: 48 }] });
  expect(await held.fault).toBe("GPU GPU-2: an error in memory could not be corrected (Xid 48)");
  expect(await held.faultByNow()).toContain("Xid 48");
  expect(reasons(keeper)).toEqual([null, expect.stringContaining("Xid 48")]);
  held.release();
});

test("an Xid of a program quarantines nothing", async () => {
  const received: number[] = [];
  const { keeper, driver } = await keep(TWO, { onXid: (_, xid) => received.push(xid) });
  const held = await keeper.take(["GPU-1"], "a1", false, never);
  driver.say({ ...TWO, xids: [8, 13, 31, 43, 45].map((code) => ({ uuid: "GPU-1", code })) });
  await expect.poll(() => received).toEqual([8, 13, 31, 43, 45]);
  expect(reasons(keeper)).toEqual([null, null]);
  expect(await held.faultByNow()).toBeNull();
});

test("quarantines one MIG instance for its own Xid, and all of them for one of their GPU", async () => {
  const instances = [1, 2].map((gpu) => ({ uuid: `MIG-${gpu}`, profile: "3g.71gb", gpu, totalBytes: 71 * GIB }));
  const cut: FakeMachine = { gpus: [{ uuid: "GPU-1" }, { uuid: "GPU-2", instances }] };
  const { keeper, driver } = await keep(cut, unpassable);
  const one = { uuid: "GPU-2", code: 94, gpuInstance: 2 };
  driver.say({ ...cut, xids: [one] });
  await expect.poll(() => reasons(keeper)).toEqual([null, null, expect.stringContaining("Xid 94")]);
  driver.say({ ...cut, xids: [one, { uuid: "GPU-2", code: 79 }] });
  const lost = expect.stringContaining("Xid 79");
  await expect.poll(() => reasons(keeper)).toEqual([null, lost, lost]);
});

test("a GPU that falls off the bus is quarantined, and is back when it is there again and tested", async () => {
  const { keeper, driver } = await keep(TWO);
  const held = await keeper.take(["GPU-1"], "a1", false, never);
  driver.say({ gpus: [{ uuid: "GPU-1", lost: true }, { uuid: "GPU-2" }] });
  expect(await held.fault).toContain("the driver cannot reach it any more");
  held.release();
  expect(reasons(keeper)).toEqual([expect.stringContaining("GPU is lost"), null]);
  driver.say(TWO);
  await expect.poll(() => reasons(keeper)).toEqual([null, null]);
  await keeper.take(["GPU-1"], "a2", false, never);
});

test("errors in memory that could not be corrected quarantine a GPU", async () => {
  const { keeper, driver } = await keep({ gpus: [{ uuid: "GPU-1", uncorrected: 3 }] }, unpassable);
  expect(reasons(keeper)).toEqual([null]);
  driver.say({ gpus: [{ uuid: "GPU-1", uncorrected: 5 }] });
  await expect.poll(() => reasons(keeper)).toEqual([expect.stringContaining("2 errors")]);
});

test("a GPU that fails its self-test stays in quarantine until it passes one", async () => {
  let answer: string | null = "wrong answer";
  let tests = 0;
  const selfTest = async () => {
    tests += 1;
    return answer;
  };
  const { keeper, driver } = await keep(TWO, { selfTest });
  driver.say({ ...TWO, xids: [{ uuid: "GPU-1", code: 79 }] });
  await expect.poll(() => reasons(keeper)[0]).toContain("(Xid 79); its self-test failed: wrong answer");
  await expect.poll(() => tests).toBeGreaterThan(1);
  answer = null;
  await expect.poll(() => reasons(keeper)).toEqual([null, null]);
});

test.each([{ crash: "nvmlDeviceGetName" }, { hang: "nvmlDeviceGetMemoryInfo_v2" }])(
  "a driver that does %o: no GPU is given out, what runs runs on, and all is well when it works again",
  { timeout: 120_000 },
  async (ill) => {
    const { keeper, driver } = await keep(TWO, { deadlineMs: SHORT_DEADLINE_MS });
    const held = await keeper.take(["GPU-1"], "a1", false, never);
    driver.say({ ...TWO, ...ill });
    await expect.poll(() => keeper.problem()).not.toBeNull();
    expect(reasons(keeper)).toEqual([null, null]);
    const said = expect.stringContaining("the driver does not work");
    await expect.poll(() => reasons(keeper)).toEqual([said, said]);
    await expect(keeper.take(["GPU-2"], "a2", false, never)).rejects.toMatchObject({ reason: "gpu_fault" });
    driver.say(TWO);
    await expect.poll(() => keeper.problem()).toBeNull();
    await expect.poll(() => reasons(keeper)[1]).toBeNull();
    expect(await held.faultByNow()).toBeNull();
    held.release();
    await expect.poll(() => reasons(keeper)).toEqual([null, null]);
  },
);

test("a driver that works only later brings its GPUs later", async () => {
  const broken: FakeMachine = { ...TWO, fail: { call: "nvmlInit_v2", status: 9 } };
  const { keeper, driver, changes } = await keep(broken);
  expect(keeper.list()).toEqual([]);
  expect(keeper.problem()).toContain("nvmlInit_v2 returned 9");
  driver.say(TWO);
  await expect.poll(() => keeper.list().map(({ uuid }) => uuid)).toEqual(["GPU-1", "GPU-2"]);
  expect(changes).toEqual(["gpus"]);
});

test("a GPU that this node does not have is a fault of the order", async () => {
  const { keeper } = await keep(TWO);
  await expect(keeper.take(["GPU-9"], "a1", false, never)).rejects.toMatchObject({ reason: "gpu_fault" });
});
