import { expect, test } from "vitest";
import { changeLines } from "./change-lines.ts";

test("shows of a change what differs", () => {
  const change = { before: { role: "member", egress: ["a", "b"] }, after: { role: "viewer", egress: [] } };
  expect(changeLines(change)).toEqual(["role: member → viewer", "egress: a, b → none"]);
});

test("shows what was created, without what it has not", () => {
  const after = { name: "ci", scopes: ["keys"], expires: null, revoked: false, gpu_count: 0, egress: [] };
  expect(changeLines({ before: null, after })).toEqual(["name: ci", "scopes: keys", "gpu_count: 0"]);
});

test("shows nothing of what was removed", () => {
  expect(changeLines({ before: { role: "member" }, after: null })).toEqual([]);
});
