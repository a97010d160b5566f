import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { BodyBudget } from "./body-budget.ts";

const MIB = 1024 * 1024;

async function* body(...pieces: readonly number[]): AsyncGenerator<Buffer> {
  for (const bytes of pieces) yield Buffer.alloc(bytes);
}

/** Reads a complete body of the team; returns how to release its bytes. */
async function held(budget: BodyBudget, team: string, ...pieces: readonly number[]): Promise<() => void> {
  const holder = { key: { id: `k-${team}`, userId: `u-${team}` }, teamId: team };
  let give: () => void = () => undefined;
  const onceResponded = (release: () => void) => {
    give = release;
  };
  await buffer(budget.counted({ body: body(...pieces), bytesMax: 200 * MIB, holder, onceResponded }));
  return () => give();
}

test("a team's large bodies take a quarter of what there is, small ones nothing, and others find their part", async () => {
  const budget = new BodyBudget();
  const large = await held(budget, "a", 64 * MIB, 60 * MIB);
  await expect(held(budget, "a", 8 * MIB)).rejects.toThrow(/Too many large bodies/);
  await held(budget, "a", 32 * 1024, 32 * 1024);
  await held(budget, "b", 124 * MIB);
  await held(budget, "c", 124 * MIB);
  await held(budget, "d", 124 * MIB);
  large();
  await held(budget, "a", 100 * MIB);
});

test("of a body only what came counts", async () => {
  const budget = new BodyBudget();
  for (let count = 0; count < 1_000; count++) await held(budget, "a", 1);
  await held(budget, "a", 124 * MIB);
});

test("a body that exceeds the budget holds nothing after its response", async () => {
  const budget = new BodyBudget();
  const holder = { key: { id: "k", userId: "u" }, teamId: "a" };
  const gives: (() => void)[] = [];
  const refused = budget.counted({
    body: body(100 * MIB, 100 * MIB),
    bytesMax: 200 * MIB,
    holder,
    onceResponded: (release) => gives.push(release),
  });
  await expect(buffer(refused)).rejects.toThrow(/Too many large bodies/);
  for (const give of gives) give();
  await held(budget, "a", 124 * MIB);
});
