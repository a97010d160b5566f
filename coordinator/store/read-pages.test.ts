import fc from "fast-check";
import { expect, test } from "vitest";
import { ROOT } from "./keys.ts";
import { Memory } from "./memory/memory.ts";
import { memoryKv } from "./memory/memory-kv.ts";
import { readPages } from "./read-pages.ts";

async function storeWith(names: readonly string[]) {
  const kv = memoryKv(new Memory());
  for (const name of names) {
    await kv.txn({ compares: [], puts: [{ key: ROOT + name, value: Buffer.from("v") }], deletes: [] });
  }
  return kv;
}

test("reads every key once and in order, whatever the keys and the size of a page", async () => {
  const name = fc.oneof(
    fc.stringMatching(/^(records|inputs)\/(tasks\/)?[01a]{1,6}$/),
    fc.stringMatching(/^[ -~]{1,8}$/),
    fc.constantFrom("é", "éa", "\u{1f600}b"),
  );
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(name, { maxLength: 60 }), fc.integer({ min: 1, max: 7 }), async (names, size) => {
      const kv = await storeWith(names);
      const { revision } = await kv.read([ROOT]);
      const found: string[] = [];
      for await (const page of readPages(kv, revision, { pageEntries: size }))
        found.push(...page.map(({ key }) => key.slice(ROOT.length)));
      expect(found).toEqual([...names].sort());
    }),
    { numRuns: 200 },
  );
});

test("requests ranges that hold little more than a page, once it has found out how wide they are", async () => {
  const keys = Array.from(
    { length: 6_000 },
    (_unused, index) => `${ROOT}records/tasks/01a2${index.toString(16).padStart(12, "0")}`,
  );
  let counted = 0;
  const counting = {
    range: async (prefix: string, { afterKey = "", limit }: { readonly afterKey?: string; readonly limit: number }) => {
      const left = keys.filter((key) => key.startsWith(prefix) && key > afterKey);
      counted += left.length;
      const entries = left.slice(0, limit).map((key) => ({ key, value: Buffer.alloc(0), revision: 1 }));
      return { revision: 1, entries, more: left.length > limit };
    },
  };
  let entries = 0;
  for await (const page of readPages(counting, 1, { pageEntries: 30 })) entries += page.length;
  expect(entries).toBe(keys.length);
  // Pages of one large range would count each key a hundred times.
  expect(counted).toBeLessThan(25 * keys.length);
});
