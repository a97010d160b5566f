import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { selfTestWith } from "./self-test.ts";

afterAll(removeTemporaryFolders);

/** A native library whose self-test has this body; null for one that has none. */
function library(body: string | null): string {
  const folder = temporaryFolder();
  const [source, built] = [join(folder, "test.c"), join(folder, "libtest.so")];
  const test = "int elastic_gpu_self_test(const char *uuid, unsigned char *why, size_t bytes)";
  const includes = ["stddef", "stdio", "stdlib", "string", "unistd"].map((name) => `#include <${name}.h>\n`).join("");
  writeFileSync(source, `${includes}${body === null ? "int other;" : `${test} { ${body} }`}\n`);
  execFileSync("cc", ["-shared", "-fPIC", "-o", built, source]);
  return built;
}

test("the library tests the GPU that it is told of, and sees no other", async () => {
  const body = `return strcmp(uuid, "GPU-1") != 0 || strcmp(getenv("CUDA_VISIBLE_DEVICES"), "GPU-1") != 0;`;
  expect(await selfTestWith(library(body))("GPU-1")).toBeNull();
  expect(await selfTestWith(library(body))("GPU-2")).toBe("the library's self-test answered 1");
});

test("a self-test that is not passed says why", async () => {
  const body = `snprintf((char *)why, bytes, "7 of 4096 sums are wrong"); return 1;`;
  expect(await selfTestWith(library(body))("GPU-1")).toBe("7 of 4096 sums are wrong");
});

test("a self-test that crashes or hangs is not passed", async () => {
  expect(await selfTestWith(library("abort();"))("GPU-1")).toContain("SIGABRT");
  expect(await selfTestWith(library("for (;;) pause();"), 1_500)("GPU-1")).toContain("did not end within 1.5 s");
});

test("without a library's own, the known answer is computed on the processor", async () => {
  expect(await selfTestWith(library(null))("GPU-1")).toBeNull();
  expect(await selfTestWith(null)("GPU-1")).toBeNull();
});

test("a library that cannot be loaded passes nothing", async () => {
  expect(await selfTestWith("/nowhere/libtest.so")("GPU-1")).toContain("libtest.so");
});
