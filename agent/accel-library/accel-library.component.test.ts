/** The acceleration library in its sandbox, as it is and with what a test has changed in it. */
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createLog } from "@elastic/std/log.ts";
import { afterAll, expect, test } from "vitest";
import { ACCEL_LIBRARY } from "../testing/start-test-agent.ts";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { createSandbox } from "../workloads/builtin/create-sandbox.ts";
import { type AccelLibrary, openAccelLibrary } from "./accel-library.ts";
import { queryChild } from "./query-child.ts";
import { changedLibrary, QUICK } from "./testing/changed-library.ts";
import { libraryAlone } from "./testing/library-alone.ts";

afterAll(removeTemporaryFolders);

const log = createLog({ name: "accel", level: "silent" });
const NO_GPUS = { uuids: [], devices: [] };

function open(library: string): Promise<AccelLibrary> {
  return openAccelLibrary(library, join(temporaryFolder(), "accel"), () => [], log);
}

test("reports what it computes with, and that there is no GPU for it", async () => {
  const library = await open(libraryAlone());
  expect(await library.info(null)).toMatchObject({ backend: "cpu", threads: expect.any(Number) });
  expect(library.hasCuda).toBe(false);
  await expect(library.info("GPU-1")).rejects.toThrow(/no CUDA plug-in.*\(ZKA_E_NO_DEVICE\)/);
});

test("without a plug-in for GPUs the self-test is computed on the processor, and is passed", async () => {
  const tested = await (await open(libraryAlone())).selfTest("GPU-1");
  expect(tested).toEqual({ failure: null, insteadOfGpu: "no libzkaccel_cuda.so next to the library" });
});

test("a plug-in that can be used with no GPU here makes a GPU no worse off than none would", async () => {
  for (const [plugin, why] of [
    ["not a library at all", /no CUDA plug-in: .*\(ZKA_E_NO_DEVICE\)/],
    [readFileSync(ACCEL_LIBRARY), /is no plug-in of this library.*\(ZKA_E_UNSUPPORTED\)/],
  ] as const) {
    const library = libraryAlone();
    writeFileSync(join(dirname(library), "libzkaccel_cuda.so"), plugin);
    const tested = await (await open(library)).selfTest("GPU-1");
    expect(tested).toEqual({ failure: null, insteadOfGpu: expect.stringMatching(why) });
  }
});

test.each([
  ["CUDA driver version is insufficient for CUDA runtime version", null],
  ["an uncorrectable ECC error was encountered", "an uncorrectable ECC error was encountered (ZKA_E_DRIVER)"],
])("CUDA's \"%s\": the GPU's failure is %s", async (words, failure) => {
  const refuses = `
zka_status zka_ctx_create(const zka_config* config, zka_ctx** out) {
  return config->backend == ZKA_BACKEND_CUDA ? ZKA_E_DRIVER : REAL(zka_ctx_create)(config, out);
}
const char* zka_last_error(const zka_ctx* ctx) { return "${words}"; }`;
  const tested = await (await open(changedLibrary(refuses))).selfTest("GPU-1");
  const insteadOfGpu = failure === null ? expect.stringContaining(words) : null;
  expect(tested).toEqual({ failure, insteadOfGpu });
});

test("sees the requested GPU and no other, and runs as nobody", async () => {
  const library = await open(
    changedLibrary(`
zka_status zka_ctx_create(const zka_config* config, zka_ctx** out) {
  const char* gpus = getenv("CUDA_VISIBLE_DEVICES");
  if (config->backend != ZKA_BACKEND_CUDA || gpus == NULL || strcmp(gpus, "GPU-1") != 0) return ZKA_E_NO_DEVICE;
  if (getuid() == 0 || getenv("PATH") != NULL) return ZKA_E_UNSUPPORTED;
  zka_config cpu = *config;
  cpu.backend = ZKA_BACKEND_CPU;
  return REAL(zka_ctx_create)(&cpu, out);
}`),
  );
  expect(library.hasCuda).toBe(true);
  expect(await library.selfTest("GPU-1")).toEqual({ failure: null, insteadOfGpu: null });
  const other = { failure: expect.stringContaining("ZKA_E_NO_DEVICE"), insteadOfGpu: null };
  expect(await library.selfTest("GPU-2")).toEqual(other);
});

test("fails the self-test of a GPU of which one limb of one answer is wrong", async () => {
  const read = `
zka_status zka_buf_read(const zka_buf* buffer, size_t offset, zka_fe* to, size_t n, zka_form form, zka_stream* stream) {
  zka_status status = REAL(zka_buf_read)(buffer, offset, to, n, form, stream);
  if (form == ZKA_FORM_CANONICAL) to[n - 1].l[3] ^= 1;
  return status;
}`;
  expect((await (await open(changedLibrary(read))).selfTest("GPU-1")).failure).toBe(
    "1 of 16384 values of the transform is wrong, first number 16383; " +
      "1 of 16384 inverses is wrong, first number 16383",
  );
  const sum = `
zka_status zka_to_affine(zka_ctx* ctx, zka_curve curve, const zka_jacobian* points, size_t n, zka_affine* out) {
  zka_status status = REAL(zka_to_affine)(ctx, curve, points, n, out);
  out->y.l[2] ^= 1;
  return status;
}`;
  expect((await (await open(changedLibrary(sum))).selfTest("GPU-1")).failure).toBe(
    "1 of 2 coordinates of the sum of multiples is wrong, first number 1",
  );
});

test("reports a library that crashes, refuses or hangs as a failure, and ends nothing else", async () => {
  const dies = await open(changedLibrary("uint32_t zka_abi_version(void) { abort(); }"));
  expect((await dies.selfTest("GPU-1")).failure).toBe("the library crashed (SIGABRT)");
  await expect(dies.info(null)).rejects.toThrow("the library crashed (SIGABRT)");
  const old = await open(changedLibrary("uint32_t zka_abi_version(void) { return 7; }"));
  await expect(old.info(null)).rejects.toThrow(/speaks version 7 of the interface, not 1/);
  const hangs = changedLibrary("uint32_t zka_abi_version(void) { for (;;) pause(); }");
  const companions = [join(dirname(hangs), "libzkaccel_cuda.so")];
  const sandbox = await createSandbox({ library: hangs, companions, folder: join(temporaryFolder(), "accel") }, log);
  if (sandbox === null) throw new Error("there is no sandbox");
  const question = { kind: "info", backend: "cpu" } as const;
  expect(await queryChild(sandbox, question, { gpus: NO_GPUS, timeoutMs: 1_500 })).toEqual({
    kind: "failed",
    why: "the library did not respond within 1.5 s",
  });
});

test("measures a device, and reports what is being done", { timeout: 120_000 }, async () => {
  const library = await open(changedLibrary(QUICK));
  const reported: string[] = [];
  const given = {
    seconds: 0,
    report: (doing: string) => void reported.push(doing),
    signal: new AbortController().signal,
  };
  const { info, speed } = await library.measure("GPU-1", given);
  expect(info.backend).toBe("cpu");
  expect(reported).toEqual(["makes 2^20 points", "multiplies, 0 of 0 s", "transforms, 0 of 0 s"]);
  for (const rate of Object.values(speed)) {
    expect(rate).toBeGreaterThan(1e6);
    expect(rate).toBeLessThanOrEqual(2 ** 20 / 1e-3);
  }
});

test("ends the process of an aborted request", async () => {
  const hangs = await open(changedLibrary("uint32_t zka_abi_version(void) { for (;;) pause(); }"));
  const giving = new AbortController();
  const requested = hangs.measure("GPU-1", { seconds: 0, report: () => undefined, signal: giving.signal });
  giving.abort();
  await expect(requested).rejects.toThrow("it was interrupted");
});

test("ignores what a library prints before and after its messages", {
  timeout: 120_000,
}, async () => {
  const prints = `
__attribute__((constructor, destructor)) static void prints(void) {
  const char* lines = "7\\n{}\\n{\\"kind\\":\\"tested\\",\\"failure\\":7}\\nnot JSON\\n";
  if (write(1, lines, strlen(lines)) < 0) abort();
}`;
  const library = await open(changedLibrary(prints));
  expect(await library.info(null)).toMatchObject({ backend: "cpu" });
  expect(await library.selfTest("GPU-1")).toEqual({ failure: null, insteadOfGpu: null });
});

test("a library that is not there is said to be missing", async () => {
  await expect(open("/nowhere/libzkaccel.so")).rejects.toThrow(/ENOENT.*\/nowhere\/libzkaccel\.so/);
});

test("a library or a plug-in that is a pipe or a device is refused, and nobody waits for its end", async () => {
  await expect(open("/dev/null")).rejects.toThrow("/dev/null is no regular file");
  const pipe = join(temporaryFolder(), "libzkaccel.so");
  execFileSync("mkfifo", [pipe]);
  await expect(open(pipe)).rejects.toThrow(`${pipe} is no regular file`);
  const library = libraryAlone();
  const plugin = join(dirname(library), "libzkaccel_cuda.so");
  execFileSync("mkfifo", [plugin]);
  await expect(open(library)).rejects.toThrow(`${plugin} is no regular file`);
});

test("another build is another version, of the library and of its plug-in", async () => {
  const library = libraryAlone();
  const before = (await open(library)).version;
  expect((await open(libraryAlone())).version).toBe(before);
  copyFileSync(changedLibrary(""), join(dirname(library), "libzkaccel_cuda.so"));
  expect((await open(library)).version).not.toBe(before);
});
