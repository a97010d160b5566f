import { ResponseHeader, ResponseOp, TxnResponse } from "@elastic/proto/gen/etcd/kv.ts";
import { expect, test } from "vitest";
import { decodeTxnResponse } from "./decode-txn-response.ts";

const header = ResponseHeader.fromPartial({ clusterId: 14_841_639_068_965_178_418n, revision: 2n ** 40n });
const read = ResponseOp.fromPartial({
  response: {
    $case: "responseRange",
    value: { kvs: [{ key: Buffer.from("k"), value: Buffer.from("v"), modRevision: 7n }], more: false },
  },
});

test.each([true, false])("reads header, outcome and, of what was refused, what the keys hold: %s", (succeeded) => {
  const response: TxnResponse = { header, succeeded, responses: [read, read] };
  const bytes = Buffer.from(TxnResponse.encode(response).finish());
  expect(decodeTxnResponse(bytes)).toEqual(succeeded ? { ...response, responses: [] } : TxnResponse.decode(bytes));
});

test("what is of a later version is left to the generated code, and a cut response throws", () => {
  const bytes = Buffer.from(TxnResponse.encode({ header, succeeded: true, responses: [read] }).finish());
  const later = Buffer.concat([Buffer.from([0x7a, 2, 1, 1]), bytes]);
  expect(decodeTxnResponse(later)).toEqual(TxnResponse.decode(later));
  expect(() => decodeTxnResponse(bytes.subarray(0, bytes.length - 1))).toThrow("cut");
});
