/** Loads native libraries, with a stack for their calls that proofs need. */
import koffi, { type LibraryHandle } from "koffi";

/** The native code's stack: koffi runs it on a separate one, of 2 MiB unless set before the first load. */
const NATIVE_STACK_BYTES = 16 * 1024 * 1024;

let isConfigured = false;

/** Null for what the process itself is linked with. Throws with the loader's words. */
export function loadNative(path: string | null): LibraryHandle {
  // Koffi accepts settings until its first load only.
  if (!isConfigured) koffi.config({ sync_stack_size: NATIVE_STACK_BYTES, async_stack_size: NATIVE_STACK_BYTES });
  isConfigured = true;
  return koffi.load(path);
}
