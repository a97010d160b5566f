import { bytesToHex } from "@noble/hashes/utils.js";
import { expect, test } from "vitest";
import { digestFile } from "./digest-file.ts";

const never = new AbortController().signal;

test.each([0, 1, 64, 300_000])("digests %d bytes as others do, and counts them", async (size) => {
  const bytes = Uint8Array.from({ length: size }, (_, at) => at % 256);
  let readBytes = 0;
  const digest = await digestFile(new Blob([bytes]), (count) => (readBytes += count), never);
  expect(digest).toBe(bytesToHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))));
  expect(readBytes).toBe(size);
});

test("stops when it is cancelled", async () => {
  const cancelled = AbortSignal.abort(new Error("cancelled"));
  await expect(digestFile(new Blob(["x"]), () => undefined, cancelled)).rejects.toThrow("cancelled");
});
