import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { HmacSha256 } from "./hmac.ts";

test.each([0, 1, 32, 63, 64])("signs as Node's own HMAC does, with a key of %i bytes", (bytes) => {
  const key = Buffer.from(Array.from({ length: bytes }, (_, at) => (at * 37 + 200) & 255));
  const hmac = new HmacSha256(key);
  for (const text of ["", "a", "ä€", "0198a7c0e7d0.1767225600", "x".repeat(64), "y".repeat(9_000)]) {
    expect(hmac.digest(text)).toBe(createHmac("sha256", key).update(text).digest("base64url"));
  }
});

test("gives the known answer of RFC 4231, and takes no key longer than a block", () => {
  const known = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
  expect(
    Buffer.from(new HmacSha256(Buffer.from("Jefe")).digest("what do ya want for nothing?"), "base64url").toString(
      "hex",
    ),
  ).toBe(known);
  expect(() => new HmacSha256(Buffer.alloc(65))).toThrow("longer than a block");
});
