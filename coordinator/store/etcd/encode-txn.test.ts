import { TxnRequest } from "@elastic/proto/gen/etcd/kv.ts";
import { expect, test } from "vitest";
import type { Txn } from "../kv.ts";
import { encodeTxn } from "./encode-txn.ts";
import { toTxnRequest } from "./etcd-messages.ts";

const key = (length: number) => "k".repeat(length);

/** Sizes and numbers at which one more byte is needed. */
const EDGES = [0, 1, 127, 128, 16_383, 16_384];

const TXNS: readonly Txn[] = [
  { compares: [], puts: [], deletes: [] },
  ...[0, 1, 127, 128, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 35 + 7, Number.MAX_SAFE_INTEGER].map((revision) => ({
    compares: [{ key: key(40), revision }],
    puts: [],
    deletes: [key(3)],
  })),
  ...EDGES.map((bytes) => ({
    compares: [{ key: key(bytes + 1), revision: 5 }],
    puts: [{ key: key(bytes + 1), value: Buffer.alloc(bytes, 7) }],
    deletes: [key(bytes + 1)],
  })),
  {
    compares: [
      { key: "a", revision: 0 },
      { key: "b", revision: 9 },
    ],
    puts: [
      { key: "c", value: Buffer.from("ä"), leaseId: "1" },
      { key: "d", value: Buffer.from("1"), leaseId: "7587883282018921223" },
    ],
    deletes: ["e", "f"],
  },
];

test.each(TXNS)("encodes a transaction as the generated code does: %#", (txn) => {
  expect(encodeTxn(txn).equals(Buffer.from(TxnRequest.encode(toTxnRequest(txn)).finish()))).toBe(true);
});

test("rejects a key that is not ASCII, of which it would write something else", () => {
  for (const name of ["ä", "a/é/b", "\u{1f600}"]) {
    expect(() => encodeTxn({ compares: [], puts: [], deletes: [name] })).toThrow("not ASCII");
  }
});
