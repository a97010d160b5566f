import { expect, test } from "vitest";
import { PROGRAM_SCHEMA, raisedBy, type StoreSchema, whyOutgrown } from "./store-schema.ts";

const FIRST: StoreSchema = { version: 1, minimum: 1, kinds: {} };

test.each([
  ["as this program writes it", FIRST, null],
  ["of a later version that others may pass over", { version: 2, minimum: 1, kinds: {} }, null],
  [
    "of a later version",
    { version: 2, minimum: 2, kinds: {} },
    "the store is of version 2 and takes programs that know 2",
  ],
  ["with later tasks that others may pass over", { ...FIRST, kinds: { tasks: { version: 2, minimum: 1 } } }, null],
  [
    "with later tasks",
    { ...FIRST, kinds: { tasks: { version: 3, minimum: 2 } } },
    "records of the kind tasks is of version 3 and takes programs that know 2, and this one knows 1",
  ],
  ["with a kind that nobody here knows", { ...FIRST, kinds: { moons: { version: 1, minimum: 1 } } }, "the kind moons"],
] as const)("a store %s", (_, store, why) => {
  const found = whyOutgrown(store, FIRST);
  if (why === null) expect(found).toBeNull();
  else expect(found).toContain(why);
});

test("says what to do, and that nothing was changed", () => {
  expect(whyOutgrown({ version: 2, minimum: 2, kinds: {} })).toMatch(
    /Nothing was changed by this one\. Start that later version here instead; .*restore a backup from before the upgrade/,
  );
});

test("raises what a later program demands, and lowers nothing that another raised", () => {
  const program = { version: 2, minimum: 1, kinds: { tasks: { version: 2, minimum: 2 } } };
  const store = {
    version: 3,
    minimum: 1,
    kinds: { tasks: { version: 1, minimum: 1 }, nodes: { version: 4, minimum: 2 } },
  };
  expect(raisedBy(program, store)).toEqual({
    version: 3,
    minimum: 1,
    kinds: { tasks: { version: 2, minimum: 2 }, nodes: { version: 4, minimum: 2 } },
  });
  expect(raisedBy(FIRST, store)).toBe(store);
});

test("raises the version of the store with any version of a kind: 0.1.0 looks at that alone", () => {
  const hasRaisedKind = Object.keys(PROGRAM_SCHEMA.kinds).length > 0;
  expect(PROGRAM_SCHEMA.version > 1).toBe(hasRaisedKind);
});
