import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { findGpus } from "./find-gpus.ts";
import { splitName } from "./nvml.ts";

afterAll(removeTemporaryFolders);

/** A driver's library as a test wants it to behave; `init` is the body of its first function. */
function fakeDriver(init: string): string {
  const folder = temporaryFolder();
  const source = join(folder, "nvml.c");
  const library = join(folder, "libnvidia-ml.so.1");
  writeFileSync(
    source,
    `#include <string.h>
#include <unistd.h>
#include <stdlib.h>
struct memory { unsigned long long total, free, used; };
int nvmlInit_v2(void) { ${init} return 0; }
int nvmlSystemGetDriverVersion(char *v, unsigned n) { strcpy(v, "570.1"); return 0; }
int nvmlDeviceGetCount_v2(unsigned *n) { *n = 2; return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned i, void **d) { *d = (void *)(unsigned long)(i + 1); return 0; }
int nvmlDeviceGetUUID(void *d, char *u, unsigned n) {
  strcpy(u, d == (void *)1 ? "GPU-1" : d == (void *)2 ? "GPU-2" : "MIG-1"); return 0; }
int nvmlDeviceGetName(void *d, char *u, unsigned n) {
  strcpy(u, d < (void *)3 ? "NVIDIA H200" : "NVIDIA H200 MIG 1g.18gb"); return 0; }
int nvmlDeviceGetMemoryInfo(void *d, struct memory *m) { m->total = 1000; m->free = 1; m->used = 999; return 0; }
int nvmlDeviceGetMigMode(void *d, unsigned *c, unsigned *p) { *c = d == (void *)2; *p = *c; return 0; }
int nvmlDeviceGetMigDeviceHandleByIndex(void *d, unsigned i, void **m) { *m = (void *)3; return i == 0 ? 0 : 6; }
`,
  );
  execFileSync("cc", ["-shared", "-fPIC", "-o", library, source]);
  return library;
}

test("a machine without a driver has no GPUs, and that is no fault", async () => {
  expect(await findGpus("libelastic-no-such-driver.so.1")).toEqual({ kind: "no-driver" });
});

test("GPUs are listed whole, and as their instances where they are cut", async () => {
  const whole = { uuid: "GPU-1", model: "NVIDIA H200", memoryBytes: 1000, driverVersion: "570.1", migProfile: "" };
  expect(await findGpus(fakeDriver(""))).toEqual({
    kind: "found",
    gpus: [whole, { ...whole, uuid: "MIG-1", migProfile: "1g.18gb" }],
  });
});

test("a driver that crashes is told of and harms nobody", async () => {
  const search = await findGpus(fakeDriver("abort();"));
  expect(search).toMatchObject({ kind: "broken", why: expect.stringContaining("SIGABRT") });
});

test("a driver that hangs is given up", async () => {
  const search = await findGpus(fakeDriver("for (;;) pause();"), 1_000);
  expect(search).toMatchObject({ kind: "broken", why: expect.stringContaining("did not answer") });
});

test("a driver that refuses is told of", async () => {
  const search = await findGpus(fakeDriver("return 9;"));
  expect(search).toMatchObject({ kind: "broken", why: expect.stringContaining("nvmlInit_v2 answered 9") });
});

test("an instance's name splits into model and profile", () => {
  expect(splitName("NVIDIA A100-SXM4-40GB MIG 1g.5gb")).toEqual({
    model: "NVIDIA A100-SXM4-40GB",
    migProfile: "1g.5gb",
  });
  expect(splitName("NVIDIA H200")).toEqual({ model: "NVIDIA H200", migProfile: "" });
});
