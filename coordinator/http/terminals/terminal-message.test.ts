import { expect, test } from "vitest";
import { closeReason, parseClientMessage } from "./terminal-message.ts";

test.each([
  ['{"type":"resize","columns":80,"rows":24}', { type: "resize", columns: 80, rows: 24 }],
  ['{"type":"ack","bytes":65536}', { type: "ack", bytes: 65_536 }],
])("understands %s", (text, message) => {
  expect(parseClientMessage(text)).toEqual(message);
});

test.each([
  "",
  "null",
  "[]",
  '{"type":"resize","columns":0,"rows":24}',
  '{"type":"resize","columns":80}',
  '{"type":"resize","columns":1e9,"rows":24}',
  '{"type":"resize","columns":80.5,"rows":24}',
  '{"type":"ack","bytes":-1}',
  '{"type":"ack","bytes":1e308}',
  '{"type":"ack","bytes":1,"more":true}',
  '{"type":"input","text":"rm"}',
  '{"__proto__":{"type":"ack"},"bytes":1}',
  "\u0000",
])("rejects %j", (text) => {
  expect(parseClientMessage(text)).toBeNull();
});

test("cuts the reason of a close frame to what it can carry, between characters", () => {
  expect(closeReason("the shell has stopped")).toBe("the shell has stopped");
  const cut = closeReason(`a${"😀".repeat(40)}`);
  expect(Buffer.byteLength(cut)).toBe(121);
  expect(cut.isWellFormed()).toBe(true);
});
