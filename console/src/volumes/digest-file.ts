/** SHA-256 of a file of any size, a piece at a time. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** `read` is called with the bytes of each piece. */
export async function digestFile(file: Blob, read: (bytes: number) => void, signal: AbortSignal): Promise<string> {
  const hash = sha256.create();
  const reader = file.stream().getReader();
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      if (done) return bytesToHex(hash.digest());
      hash.update(value);
      read(value.length);
    }
  } finally {
    await reader.cancel();
  }
}
