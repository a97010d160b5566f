import fc from "fast-check";
import { expect, test } from "vitest";
import type { TeamChange } from "../../public/team-change.ts";
import { ChangeHistory } from "./change-history.ts";

function changeOf(teamId: string, id: string, revision: number): TeamChange {
  return { teamId, revision, kind: "task", id, serviceId: null, state: String(revision) };
}

test("returns what changed in the team after a revision, each record as it stands", () => {
  const history = new ChangeHistory(10);
  history.add(changeOf("a", "1", 11));
  history.add(changeOf("b", "2", 12));
  history.add(changeOf("a", "3", 13));
  history.add(changeOf("a", "1", 14));
  const since = (revision: number) => history.since("a", revision)?.map(({ id, state }) => `${id}@${state}`);
  expect([since(10), since(13), since(14), since(99)]).toEqual([["3@13", "1@14"], ["1@14"], [], []]);
});

test("knows nothing of what was before it began", () => {
  expect(new ChangeHistory(10).since("a", 9)).toBeNull();
});

test("returns everything that changed since a revision or, where it has forgotten some of it, null", () => {
  const writes = fc.array(fc.record({ team: fc.constantFrom("a", "b"), record: fc.nat({ max: 9 }) }), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(writes, fc.integer({ min: 1, max: 8 }), fc.nat({ max: 60 }), (changes, changesMax, from) => {
      const history = new ChangeHistory(0, changesMax);
      const newest = new Map<string, number>();
      for (const [index, { team, record }] of changes.entries()) {
        history.add(changeOf(team, String(record), index + 1));
        if (team === "a") newest.set(String(record), index + 1);
      }
      const known = history.since("a", from);
      if (known === null) {
        expect(new Set(changes.map(({ team, record }) => team + record)).size).toBeGreaterThan(changesMax);
        return;
      }
      const expected = [...newest].filter(([, revision]) => revision > from).map(([id]) => id);
      expect(known.map(({ id }) => id).sort()).toEqual(expected.sort());
    }),
  );
});
