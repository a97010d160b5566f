/** `npm run gpu -- check` over scripted libraries: what it passes, and that it passes nothing that was not looked at. */
import { execFile, execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";
import { afterAll, expect, test } from "vitest";
import { fakeDriver, GIB } from "../gpus/testing/fake-driver.ts";
import { aReading } from "../gpus/testing/readings.ts";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { disagreements, type GpuViews } from "./disagreements.ts";

afterAll(removeTemporaryFolders);

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
const HEX = "00112233-4455-6677-8899-aabbccddeeff";
const UUID = `GPU-${HEX}`;

interface Ran {
  readonly code: number;
  readonly said: string;
}

function run(args: readonly string[], path = "/nowhere"): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...args], { env: { ...COMPILE_CACHE, PATH: path } }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), said: stdout + stderr }),
    );
  });
}

/** A libcuda.so.1 that shows one GPU to whoever was given any. */
function fakeCuda(): string {
  const folder = temporaryFolder();
  const [source, built] = [join(folder, "cuda.c"), join(folder, "libcuda.so.1")];
  const bytes = HEX.replaceAll("-", "").replace(/../g, "\\x$&");
  const lines = [
    "#include <stdlib.h>\n#include <string.h>",
    "int cuInit(unsigned flags) { return flags; }",
    `int cuDeviceGetCount(int *count) { *count = getenv("CUDA_VISIBLE_DEVICES") != NULL; return 0; }`,
    "int cuDeviceGet(int *device, int ordinal) { *device = ordinal; return 0; }",
    `int cuDeviceGetName(char *name, int length, int device) { strncpy(name, "H200", length); return device; }`,
    `int cuDeviceGetUuid_v2(void *uuid, int device) { memcpy(uuid, "${bytes}", 16); return device; }`,
    `int cuDeviceTotalMem_v2(size_t *bytes, int device) { *bytes = ${139 * GIB}ull; return device; }`,
  ];
  writeFileSync(source, `${lines.join("\n")}\n`);
  execFileSync("cc", ["-shared", "-fPIC", "-o", built, source]);
  return built;
}

test("a machine without a driver, or without a GPU, is not passed, and says that nothing was checked", async () => {
  const none = await run(["check", "--nvml", "libelastic-none.so.1"]);
  expect(none).toEqual({ code: 1, said: expect.stringContaining("nothing was checked: there is no libelastic-none") });
  const empty = await run(["check", "--nvml", fakeDriver({ gpus: [] }).library]);
  expect(empty).toEqual({ code: 1, said: "nothing was checked: the driver has no GPU\n" });
  expect(await run([])).toMatchObject({ code: 1, said: expect.stringContaining("usage") });
});

test("each view is taken from its own source, and what one lacks is a disagreement", async () => {
  const { library } = fakeDriver({ gpus: [{ uuid: UUID }] });
  const folder = temporaryFolder();
  writeFileSync(join(folder, "nvidia-smi"), `#!/bin/sh\necho "GPU 0: NVIDIA H200 (UUID: ${UUID})"\n`, { mode: 0o755 });
  const { code, said } = await run(["check", "--nvml", library, "--cuda", fakeCuda()], `${folder}:/bin`);
  expect(said).toContain(`${UUID}  NVIDIA H200  driver 570.1  00000000:01:00.0  140.0 GiB, 40 °C, 100 W`);
  // Of all that a GPU needs, a machine without one lacks the device files alone.
  const found = said.split("\n").filter((line) => line.startsWith("DISAGREES"));
  const files = ["/dev/nvidia0", "/dev/nvidiactl", "/dev/nvidia-uvm"].filter((path) => !existsSync(path));
  expect(found).toEqual(files.map((path) => `DISAGREES ${UUID}: there is no ${path}`));
  expect(code).toBe(files.length > 0 ? 1 : 0);
});

const agreeing: GpuViews = {
  reading: aReading(UUID),
  filesMissing: [],
  cuda: { kind: "seen", seen: [{ uuid: HEX, name: "NVIDIA H200", memoryBytes: 139 * GIB }] },
  selfTestFailure: null,
};
const listed = { kind: "seen", seen: [UUID] } as const;
const other = { uuid: "ffffffff-0000-0000-0000-000000000000", name: "", memoryBytes: 139 * GIB };

test("views that agree leave nothing to say", () => {
  expect(disagreements([agreeing], listed)).toEqual([]);
});

test.each<[string, Partial<GpuViews>, RegExp]>([
  ["a device file that is missing", { filesMissing: ["/dev/nvidia0"] }, /there is no \/dev\/nvidia0/],
  ["no CUDA", { cuda: { kind: "none", why: "cuInit returned 100" } }, /sees nothing: cuInit returned 100/],
  ["no GPU in the process", { cuda: { kind: "seen", seen: [] } }, /sees 0 GPUs/],
  ["a second GPU in the process", { cuda: { kind: "seen", seen: [other, other] } }, /sees 2 GPUs/],
  ["another GPU in the process", { cuda: { kind: "seen", seen: [other] } }, /sees ffffffff-/],
  ["less memory", { cuda: { kind: "seen", seen: [{ ...other, uuid: HEX, memoryBytes: GIB }] } }, /bytes of memory/],
  ["a self-test", { selfTestFailure: "7 of 4096 sums are wrong" }, /self-test: 7 of 4096/],
])("reports %s", (_, given, said) => {
  expect(disagreements([{ ...agreeing, ...given }], listed)).toEqual([expect.stringMatching(said)]);
});

test("reports a GPU that only one list has, and a list that is missing", () => {
  const seen = (uuids: readonly string[]) => disagreements([agreeing], { kind: "seen", seen: uuids });
  expect(seen([])).toEqual([`${UUID}: nvidia-smi does not list it`]);
  expect(seen([UUID, "GPU-2"])).toEqual(["GPU-2: only nvidia-smi lists it"]);
  expect(disagreements([agreeing], { kind: "none", why: "not found" })).toEqual(["nvidia-smi: not found"]);
});
