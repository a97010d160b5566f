import { expect, test } from "vitest";
import { anAuditEntry } from "../../archive/testing/audit-entries.ts";
import type { AuditFacts } from "../../domain/audit-entry.ts";
import { LaterChanges } from "./later-changes.ts";
import { rotationWarnings } from "./later-rotations.ts";

function step(before: AuditFacts | null, after: AuditFacts, kind = "authority") {
  return anAuditEntry({ teamId: "", object: { kind, id: "root", name: null }, before, after });
}

const stage = step({ staged_root: null }, { staged_root: "new" });
const promote = step(
  { issuing_root: "old", staged_root: "new", earlier_root: null },
  { issuing_root: "new", staged_root: null, earlier_root: "old" },
);
const retire = step({ earlier_root: "old" }, { earlier_root: null });

test.each([
  ["is staged", [stage], /staged after the backup and is gone: stage one again/],
  ["is promoted", [stage, promote], /backup, which takes that back: it does not know root new.*Enroll those again/],
  [
    "replaces one that is retired",
    [stage, promote, retire],
    /trusts the retired root old again; .*root new.*rotate again/,
  ],
  ["that issued before is retired", [retire], /trusts the retired root old again; retire it again.*keep their/],
])("says what a restore takes back where after the backup a root %s", (_what, steps, message) => {
  expect(rotationWarnings(steps)).toEqual([expect.stringMatching(message)]);
});

test("says that secrets are sealed with the earlier master key", () => {
  const rotated = step(null, { from: "old", to: "new", promoted: false, retired: false }, "master_key");
  expect(rotationWarnings([rotated])).toEqual([expect.stringMatching(/sealed with the earlier one.*secrets status/)]);
});

test("counts rotations after the backup alone, and names them among the lost changes", () => {
  const changes = new LaterChanges();
  changes.add(stage, false);
  expect(changes.rotations()).toEqual([]);
  changes.add(promote, true);
  expect(changes.rotations()).toEqual([promote]);
  expect(changes.lost()).toMatchObject({ total: 1, changes: [{ kind: "authority" }] });
});
