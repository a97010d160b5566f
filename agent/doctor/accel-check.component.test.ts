import { afterAll, expect, test } from "vitest";
import { changedLibrary } from "../accel-library/testing/changed-library.ts";
import { libraryAlone } from "../accel-library/testing/library-alone.ts";
import type { DriverAnswer } from "../gpus/driver-process.ts";
import { aReading } from "../gpus/testing/readings.ts";
import { removeTemporaryFolders } from "../testing/temporary-folder.ts";
import { checkAccel } from "./accel-check.ts";

afterAll(removeTemporaryFolders);

const NO_GPU: DriverAnswer = { kind: "no-driver" };
/** Its device files are on no machine. */
const gpus = [aReading("GPU-1", { minor: 200 })];
const ONE_GPU: DriverAnswer = { kind: "read", reading: { gpus, unread: [], events: [] } };

test("passes a machine without an acceleration library, and says how to get one", async () => {
  const finding = expect.stringContaining("bash deploy/setup.sh accel");
  expect(await checkAccel(null, NO_GPU)).toMatchObject([{ level: "ok", finding }]);
});

test("a library that works says what it computes with, and where its plug-in is missing what that costs", async () => {
  const works = { level: "ok", finding: expect.stringMatching(/libzkaccel\.so: CPU with \w+, \d+ threads$/) };
  expect(await checkAccel(libraryAlone(), NO_GPU)).toMatchObject([works]);
  const noPlugin = { level: "warn", finding: expect.stringContaining("no libzkaccel_cuda.so") };
  expect(await checkAccel(libraryAlone(), ONE_GPU)).toMatchObject([works, noPlugin]);
});

test("reports a library that is missing or does not load, and a GPU that it cannot use, with a remedy", async () => {
  const remedy = expect.stringContaining("ELASTIC_ACCEL_LIBRARY");
  for (const [library, why] of [
    ["/nowhere/libzkaccel.so", /ENOENT/],
    [changedLibrary("uint32_t zka_abi_version(void) { abort(); }"), /the library crashed \(SIGABRT\)/],
  ] as const) {
    const reported = { level: "warn", finding: expect.stringMatching(why), remedy };
    expect(await checkAccel(library, ONE_GPU)).toMatchObject([reported]);
  }
  const [works, gpu] = await checkAccel(changedLibrary(""), ONE_GPU);
  expect(works).toMatchObject({ level: "ok" });
  expect(gpu).toMatchObject({ level: "warn", finding: expect.stringMatching(/^GPU-1 cannot be used: .*nvidia200/) });
  expect(gpu?.remedy).toContain("npm run gpu -- check");
});
