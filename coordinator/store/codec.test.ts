import { expect, test } from "vitest";
import { decodeRecord, encodeRecord, opOf, RECORD_BYTES_MAX, RecordTooLargeError } from "./codec.ts";

test("a record comes back as it was, with the op that wrote it", () => {
  const value = { id: "t", name: 'quote " and ünïcode', nested: { list: [1, null] } };
  expect(decodeRecord(encodeRecord("key", "op.1", value))).toEqual({ op: "op.1", version: 1, value });
});

test("the op of a record is read without the record", () => {
  expect(opOf(encodeRecord("key", "op.1", { op: "another" }))).toBe("op.1");
});

test.each(["", '{"op":', '{"op":"unended', '{"OP":"a","value":{}}', "null"])("%j names no op", (text) => {
  expect(opOf(Buffer.from(text))).toBeNull();
});

test("a record may take 8 KiB and not a byte more", () => {
  const overhead = encodeRecord("key", "op", { text: "" }).length;
  const text = "x".repeat(RECORD_BYTES_MAX - overhead);
  expect(encodeRecord("key", "op", { text })).toHaveLength(RECORD_BYTES_MAX);
  expect(() => encodeRecord("key", "op", { text: `${text}x` })).toThrow(RecordTooLargeError);
});

test.each(["", "null", "7", "{}", '{"op":1,"value":{}}', '{"op":"a","value":null}'])("%j is not a record", (text) => {
  expect(() => decodeRecord(Buffer.from(text))).toThrow();
});
