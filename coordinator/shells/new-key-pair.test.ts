import ssh2 from "ssh2";
import { expect, test } from "vitest";
import { newKeyPair } from "./new-key-pair.ts";

/** The library makes one in 256 that it cannot read. */
const MANY = 1_500;

test("whatever key is made can be read, and its two halves belong together", () => {
  const said = Buffer.from("said");
  for (let made = 0; made < MANY; made++) {
    const pair = newKeyPair();
    const [key, known] = [pair.private, pair.public].map((text) => ssh2.utils.parseKey(text));
    if (key === undefined || known === undefined) throw new Error("both are there");
    if (key instanceof Error || known instanceof Error) throw new Error(`pair ${made} cannot be read`);
    expect(known.verify(said, key.sign(said))).toBe(true);
  }
});
