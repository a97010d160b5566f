import { expect, test } from "vitest";
import { InFlightBytes } from "./in-flight-bytes.ts";
import { UnreferencedUploads } from "./unreferenced-uploads.ts";

const HOUR_MS = 3_600_000;
const MANY = Number.MAX_SAFE_INTEGER;

function opened() {
  const clock = { nowMs: 0, monotonicMs: () => clock.nowMs };
  const pending = new UnreferencedUploads(clock, { bytes: 100, files: 3 });
  const takes = (bytes: number, rest = MANY, team = "a") => {
    try {
      pending.refuseBeyond(team, bytes, rest);
      return true;
    } catch {
      return false;
    }
  };
  return { clock, pending, takes };
}

test("a team's files count until a volume names them", () => {
  const { pending, takes } = opened();
  pending.add("a", "x", 60);
  pending.add("a", "x", 60);
  expect([takes(40), takes(41), takes(100, MANY, "b")]).toEqual([true, false, true]);
  pending.remove("a", ["x", "y"]);
  expect([takes(100), takes(101)]).toEqual([true, false]);
});

test("what the team's volumes leave bounds them too", () => {
  const { pending, takes } = opened();
  pending.add("a", "x", 60);
  expect([takes(10, 70), takes(11, 70)]).toEqual([true, false]);
});

test("there may be only so many, however small", () => {
  const { pending, takes } = opened();
  for (const name of ["x", "y", "z"]) {
    expect(takes(0)).toBe(true);
    pending.add("a", name, 0);
  }
  expect(takes(0)).toBe(false);
});

test("no longer counts them once a sweep has removed them", () => {
  const { clock, pending, takes } = opened();
  pending.add("a", "x", 60);
  clock.nowMs = HOUR_MS;
  pending.add("a", "y", 30);
  expect(takes(11)).toBe(false);
  clock.nowMs = 2 * HOUR_MS;
  expect([takes(70), takes(71)]).toEqual([true, false]);
});

test("bytes count while they come, those of all of a team's transfers together, and no longer", async () => {
  const coming = new InFlightBytes();
  const most: number[] = [];
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const run = (team: string, pieces: AsyncIterable<Buffer>) =>
    coming.run(
      team,
      pieces,
      (bytes) => most.push(bytes),
      async (source) => {
        for await (const _piece of source);
      },
    );
  async function* slow() {
    yield Buffer.alloc(1_000);
    begun.resolve();
    await end.promise;
  }
  async function* quick() {
    yield Buffer.alloc(10);
  }
  const first = run("a", slow());
  await begun.promise;
  await run("a", quick());
  await run("b", quick());
  end.resolve();
  await first;
  await run("a", quick());
  expect(most).toEqual([0, 1_000, 1_000, 1_010, 0, 10, 0, 10]);
});
