import { expect, test } from "vitest";
import { failureReason } from "./failure-reason.ts";

test.each([
  [
    "a fatal record with its cause",
    [
      '{"level":60,"why":"etcd is an older copy","msg":"could not start"}',
      "elastic-coordinator: etcd is an older copy",
    ],
    "could not start: etcd is an older copy",
  ],
  [
    "the message of a logged error, without its stack",
    ['{"level":60,"err":{"message":"odd","stack":"Error: odd\\n    at x"},"msg":"could not start"}'],
    "could not start: odd",
  ],
  ["the last of several error records", ['{"level":50,"msg":"one"}', '{"level":50,"msg":"two"}'], "two"],
  [
    "etcd's fatal record",
    ['{"level":"fatal","msg":"listen failed","error":"in use"}', '{"level":"info","msg":"x"}'],
    "listen failed: in use",
  ],
  ["the last line where there is no error record", ["starts", "setting: not a number", ""], "setting: not a number"],
])("returns %s", (_, lines, reason) => {
  expect(failureReason(lines)).toBe(reason);
});

test.each([[[]], [['{"level":30,"msg":"ready"}']]])("returns null where nothing says why: %j", (lines) => {
  expect(failureReason(lines)).toBe(null);
});
