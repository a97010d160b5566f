/**
 * Tests one GPU: `node self-test-child.ts <uuid> <library>`; exits with 1 and says why when it is not well.
 *
 * A library that exports the function below is asked, and runs a kernel with a known answer. Without one, the known
 * answer is computed on the processor: that tests the way to here, and not the GPU.
 *
 *   int32_t elastic_gpu_self_test(const char *gpu_uuid, uint8_t *why, size_t why_bytes);   0: passed
 */
import koffi from "koffi";
import { knownAnswerFailure } from "./known-answer.ts";

const FUNCTION = "elastic_gpu_self_test";
const SIGNATURE = `int32_t ${FUNCTION}(const char *gpu_uuid, uint8_t *why, size_t why_bytes)`;
const WHY_BYTES = 512;

type Test = (uuid: string, why: Buffer, whyBytes: number) => number;

/** Throws when the library cannot be loaded. */
function testOf(libraryPath: string): Test | null {
  if (libraryPath === "") return null;
  const library = koffi.load(libraryPath);
  try {
    return library.func(SIGNATURE) as Test;
  } catch {
    // A library that was built without a GPU's code.
    return null;
  }
}

function failureOn(uuid: string, libraryPath: string): string | null {
  let test: Test | null;
  try {
    test = testOf(libraryPath);
  } catch (error) {
    return `${libraryPath} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (test === null) return knownAnswerFailure();
  const why = Buffer.alloc(WHY_BYTES);
  const status = test(uuid, why, WHY_BYTES);
  if (status === 0) return null;
  const words = why.toString("utf8", 0, Math.max(0, why.indexOf(0)));
  return words || `the library's self-test answered ${status}`;
}

const [uuid = "", libraryPath = ""] = process.argv.slice(2);
const failure = failureOn(uuid, libraryPath);
if (failure !== null) {
  process.stderr.write(failure);
  process.exitCode = 1;
}
