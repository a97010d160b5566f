import { expect, test } from "vitest";
import type { WatchedKind } from "../store/keys.ts";
import { seesEnoughToLead } from "./sees-enough-to-lead.ts";

/** With records that cannot be read, each of a kind. */
function view(later: readonly WatchedKind[], malformed: readonly WatchedKind[]) {
  const count = (of: readonly WatchedKind[], kinds: readonly WatchedKind[] = []) =>
    of.filter((kind) => kinds.includes(kind)).length;
  return {
    unreadable: (kinds?: readonly WatchedKind[]) => count([...later, ...malformed], kinds),
    malformed: (kinds: readonly WatchedKind[]) => count(malformed, kinds),
  };
}

test("does not lead where a later version wrote what is scheduled by, which another coordinator reads", () => {
  expect(seesEnoughToLead(view([], []))).toBe(true);
  expect(seesEnoughToLead(view(["tasks"], []))).toBe(true);
  for (const kind of ["services", "nodes", "assignments"] as const)
    expect(seesEnoughToLead(view([kind], []))).toBe(false);
  expect(seesEnoughToLead(view(["services"], ["services"]))).toBe(false);
});

test("leads where a record is malformed, which nobody reads, but not where that hides who holds a GPU", () => {
  for (const kind of ["services", "deployments", "nodes", "workloads", "tasks"] as const)
    expect(seesEnoughToLead(view([], [kind]))).toBe(true);
  expect(seesEnoughToLead(view([], ["assignments"]))).toBe(false);
});
