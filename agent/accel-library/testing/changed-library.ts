/** The acceleration library with some of its functions changed by a test, and with the CPU for its GPU. */
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ACCEL_LIBRARY } from "../../testing/start-test-agent.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";

const INCLUDE = fileURLToPath(new URL("../../../kernels/accel/include", import.meta.url));

/** Takes the place of a plug-in, next to the changed library, which has all else from it. */
const PLUGIN = "libzkaccel_cuda.so";

const HEAD = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "zkaccel.h"
/* What the function would do that is being replaced. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
`;

const CPU_FOR_GPU = `
zka_status zka_ctx_create(const zka_config* config, zka_ctx** out) {
  zka_config cpu = *config;
  cpu.backend = ZKA_BACKEND_CPU;
  return REAL(zka_ctx_create)(&cpu, out);
}
`;

/** Does little, and takes a millisecond for what is measured: for tests that wait for figures, whatever they are. */
export const QUICK = `
zka_status zka_vector_op_apply(zka_vector_op op, const zka_buf* a, const zka_buf* b, zka_buf* out, size_t n,
                               zka_stream* stream) {
  return ZKA_OK;
}
zka_status zka_batch_inverse(zka_buf* v, size_t offset, size_t n, zka_stream* stream) { return ZKA_OK; }
zka_status zka_bases_create(zka_ctx* ctx, zka_curve curve, const zka_affine* points, size_t n, uint32_t tables,
                            int check, size_t* bad_index, zka_bases** out) {
  return REAL(zka_bases_create)(ctx, curve, points, 0, tables, check, bad_index, out);
}
zka_status zka_msm(const zka_bases* bases, size_t first, const zka_buf* scalars, size_t offset, size_t n, size_t batch,
                   zka_jacobian* out, zka_stream* stream) {
  usleep(1000);
  return ZKA_OK;
}
zka_status zka_ntt(const zka_domain* domain, zka_buf* const* columns, size_t ncolumns, zka_ntt_direction direction,
                   zka_order order, int on_coset, zka_stream* stream) {
  usleep(1000);
  return ZKA_OK;
}
`;

/** By its source: compiled once for all tests of a process. It loads what is next to it. */
const compiled = new Map<string, Buffer>();

/** `functions` are C, in the place of the library's; with a `zka_ctx_create` the GPU is what that makes of it. */
export function changedLibrary(functions: string): string {
  const folder = temporaryFolder();
  const built = join(folder, "libzkaccel.so");
  const text = HEAD + (functions.includes("zka_ctx_create") ? "" : CPU_FOR_GPU) + functions;
  const before = compiled.get(text);
  if (before !== undefined) writeFileSync(built, before);
  else compiled.set(text, compile(text, folder, built));
  copyFileSync(ACCEL_LIBRARY, join(folder, PLUGIN));
  return built;
}

function compile(text: string, folder: string, built: string): Buffer {
  const [source, plugin] = [join(folder, "changed.c"), join(folder, PLUGIN)];
  writeFileSync(source, text);
  const cc = (...args: readonly string[]) => execFileSync("cc", ["-shared", "-fPIC", "-Wall", "-Werror", ...args]);
  // An empty one, for the name by which the loader is to look for the real one.
  cc(`-Wl,-soname,${PLUGIN}`, "-o", plugin, "-x", "c", "/dev/null");
  cc(`-I${INCLUDE}`, "-o", built, source, "-Wl,--no-as-needed", `-L${folder}`, `-l:${PLUGIN}`, "-Wl,-rpath,$ORIGIN");
  return readFileSync(built);
}
