import { expect, test } from "vitest";
import { auditQueryOf, readAuditFilter } from "./audit-filter.ts";

const USER = "0".repeat(32);

test("reads what an address says, and leaves out what it does not understand", () => {
  const search = { action: "changeMember", user_id: USER, object_id: "abc123DEFG", from: "2026-11-20T00:00:00" };
  expect(auditQueryOf(search)).toEqual(search);
  expect(auditQueryOf(readAuditFilter({ ...search, user_id: "x", to: "tomorrow", more: 1 }))).toEqual({
    action: "changeMember",
    object_id: "abc123DEFG",
    from: "2026-11-20T00:00:00",
  });
  expect(auditQueryOf(readAuditFilter({ action: "<script>", object_id: ["a"], from: 7 }))).toEqual({});
});
