/**
 * The C ABI of kernels/ffi (elastic_ffi.h) through koffi. Calls are synchronous only: koffi does not keep
 * buffers alive through asynchronous ones. They belong on a thread that may block.
 */
import koffi from "koffi";
import { loadNative } from "./native.ts";

interface NativeAnswer {
  /** One of status.ts. */
  readonly status: number;
  /** With `ok` the output, else a sentence that says what went wrong. */
  readonly output: Buffer;
}

export interface Library {
  names(): readonly string[];
  /** Makes keys and whatever else the first proof would wait for. */
  prepare(name: string): NativeAnswer;
  /** Blocks until the proof is made. Both words are shared with a thread that does not block. */
  prove(name: string, input: Buffer, progressMillionths: Uint32Array, cancel: Uint32Array): NativeAnswer;
}

const ABI_VERSION = 1;

type Out<T> = [T];

export function loadLibrary(path: string, options: { readonly testProvers: boolean }): Library {
  const library = loadNative(path);
  const version = library.func("uint32_t elastic_ffi_version(void)") as () => number;
  if (version() !== ABI_VERSION)
    throw new Error(`${path} speaks version ${version()} of the interface, not ${ABI_VERSION}`);
  if (options.testProvers) (library.func("void elastic_enable_test_provers(void)") as () => void)();

  const free = library.func("void elastic_free(uint8_t *output, size_t output_len)") as (p: unknown, n: number) => void;
  const names = library.func("int32_t elastic_prover_names(_Out_ uint8_t **output, _Out_ size_t *output_len)");
  const ready = library.func(
    "int32_t elastic_prover_ready(const char *name, _Out_ uint8_t **output, _Out_ size_t *output_len)",
  );
  const prove = library.func(
    "int32_t elastic_prove(const char *name, const uint8_t *input, size_t input_len, uint32_t *progress_millionths, " +
      "const uint32_t *cancel, _Out_ uint8_t **output, _Out_ size_t *output_len)",
  );

  const take = (call: (pointer: Out<unknown>, length: Out<number>) => number): NativeAnswer => {
    const pointer: Out<unknown> = [null];
    const length: Out<number> = [0];
    const status = call(pointer, length);
    const bytes = Number(length[0]);
    if (bytes === 0) return { status, output: Buffer.alloc(0) };
    // A copy with its own memory, so that handing it to another thread carries nothing else along.
    const output = Buffer.allocUnsafeSlow(bytes);
    output.set(new Uint8Array(koffi.view(pointer[0], bytes)));
    free(pointer[0], bytes);
    return { status, output };
  };

  return {
    names: () => JSON.parse(take((pointer, length) => names(pointer, length)).output.toString("utf8")) as string[],
    prepare: (name) => take((pointer, length) => ready(name, pointer, length)),
    prove: (name, input, progress, cancel) =>
      take((pointer, length) => prove(name, input, input.length, progress, cancel, pointer, length)),
  };
}
