/**
 * The functions of the acceleration library (kernels/accel, include/zkaccel) that are used here, through koffi. Called in
 * a child process only (child.ts). Calls are synchronous only, since koffi does not keep what JavaScript owns alive
 * through asynchronous ones, and whatever is large is in memory of the library (`hostAlloc`).
 */
import koffi from "koffi";
import { loadNative } from "../native.ts";

export const ABI_VERSION = 1;
export const STATUS_OK = 0;

/** Something of the library's: a context, a buffer, memory. */
export type Pointer = unknown;
type Out<T> = [T];
type Call<Arguments extends readonly unknown[]> = (...args: Arguments) => number;

export type Zka = ReturnType<typeof bindZka>;

const CONFIG = koffi.struct({
  abi_version: "uint32_t",
  backend: "uint32_t",
  device: "int32_t",
  threads: "uint32_t",
  isa: "uint32_t",
  reserved: "uint32_t",
  host_bytes_max: "uint64_t",
  device_bytes_max: "uint64_t",
});

/** Throws where the file is no such library, or speaks another version of the interface. */
export function bindZka(path: string) {
  const library = loadNative(path);
  const version = (library.func("uint32_t zka_abi_version(void)") as () => number)();
  if (version !== ABI_VERSION)
    throw new Error(`${path} speaks version ${version} of the interface, not ${ABI_VERSION}`);
  const createContext = library.func("zka_ctx_create", "int", [
    koffi.pointer(CONFIG),
    koffi.out(koffi.pointer("void *")),
  ]);
  return {
    lastError: library.func("const char *zka_last_error(const void *context)") as (context: Pointer) => string,
    statusName: library.func("const char *zka_status_name(int status)") as (status: number) => string,
    createContext: createContext as Call<[config: object, out: Out<Pointer>]>,
    deviceInfo: library.func(
      "int zka_device_info(const void *context, void *json, size_t bytes, _Out_ size_t *need)",
    ) as Call<[context: Pointer, json: Uint8Array, bytes: number, need: Out<number>]>,
    hostAlloc: library.func("int zka_host_alloc(void *context, size_t bytes, _Out_ void **out)") as Call<
      [context: Pointer, bytes: number, out: Out<Pointer>]
    >,
    bufferAlloc: library.func("int zka_buf_alloc(void *context, int field, size_t n, _Out_ void **out)") as Call<
      [context: Pointer, field: number, n: number, out: Out<Pointer>]
    >,
    bufferFree: library.func("void zka_buf_free(void *buffer)") as (buffer: Pointer) => void,
    bufferRead: library.func(
      "int zka_buf_read(const void *buffer, size_t offset, void *to, size_t n, int form, void *stream)",
    ) as Call<[buffer: Pointer, offset: number, to: Pointer, n: number, form: number, stream: null]>,
    bufferCopy: library.func(
      "int zka_buf_copy(void *to, size_t to_offset, const void *from, size_t from_offset, size_t n, void *stream)",
    ) as Call<[to: Pointer, toOffset: number, from: Pointer, fromOffset: number, n: number, stream: null]>,
    vectorApply: library.func(
      "int zka_vector_op_apply(int op, const void *a, const void *b, void *out, size_t n, void *stream)",
    ) as Call<[op: number, a: Pointer, b: Pointer, out: Pointer, n: number, stream: null]>,
    vectorPowers: library.func(
      "int zka_vector_powers(const void *start, const void *base, void *out, size_t n, void *stream)",
    ) as Call<[start: BigUint64Array, base: BigUint64Array, out: Pointer, n: number, stream: null]>,
    batchInverse: library.func("int zka_batch_inverse(void *buffer, size_t offset, size_t n, void *stream)") as Call<
      [buffer: Pointer, offset: number, n: number, stream: null]
    >,
    createDomain: library.func(
      "int zka_domain_create(void *context, uint32_t k, uint32_t extended_k, const void *omega, const void *coset, _Out_ void **out)",
    ) as Call<[context: Pointer, k: number, extendedK: number, omega: null, coset: null, out: Out<Pointer>]>,
    transform: library.func(
      "int zka_ntt(const void *domain, void *const *columns, size_t n, int direction, int order, int on_coset, void *stream)",
    ) as Call<
      [domain: Pointer, columns: Pointer[], n: number, direction: number, order: number, onCoset: number, stream: null]
    >,
    createBases: library.func(
      "int zka_bases_create(void *context, int curve, const void *points, size_t n, uint32_t tables, int check, void *bad_index, _Out_ void **out)",
    ) as Call<
      [
        context: Pointer,
        curve: number,
        points: Pointer,
        n: number,
        tables: number,
        check: number,
        badIndex: null,
        out: Out<Pointer>,
      ]
    >,
    multiply: library.func(
      "int zka_msm(const void *bases, size_t first, const void *scalars, size_t offset, size_t n, size_t batch, void *out, void *stream)",
    ) as Call<
      [
        bases: Pointer,
        first: number,
        scalars: Pointer,
        offset: number,
        n: number,
        batch: number,
        out: Pointer,
        stream: null,
      ]
    >,
    toAffine: library.func(
      "int zka_to_affine(void *context, int curve, const void *points, size_t n, void *out)",
    ) as Call<[context: Pointer, curve: number, points: Pointer, n: number, out: Pointer]>,
  };
}
