import { expect, test } from "vitest";
import type { AuditEntryRecord } from "../api/records.ts";
import { changeText, objectText } from "./audit-text.ts";

const entry: AuditEntryRecord = {
  entry_id: "e",
  created: "2026-11-20T00:00:00",
  action: "changeMember",
  user_id: "u",
  user_name: "ada",
  credential: { kind: "key", id: "k" },
  address: "192.0.2.1",
  request_id: "r",
  object: { kind: "member", id: "m", name: "grace" },
  also: [],
  also_left_out: 0,
  before: { role: "member" },
  after: { role: "viewer" },
};

test("prints what differs, and of what was created or removed nothing", () => {
  expect(changeText(entry)).toBe("role: member -> viewer");
  const several = { before: { egress: ["a", "b"], idle: null }, after: { egress: [], idle: 60 } };
  expect(changeText({ ...entry, ...several })).toBe("egress: [a, b] -> []; idle: none -> 60");
  expect(
    [{ before: null }, { after: null }, { before: {}, after: {} }].map((one) => changeText({ ...entry, ...one })),
  ).toEqual([null, null, null]);
});

test("names an object by its name, and by its id where it has none", () => {
  expect(objectText(entry)).toBe("member grace");
  expect(objectText({ ...entry, object: { ...entry.object, name: null } })).toBe("member m");
});
