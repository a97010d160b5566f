import fc from "fast-check";
import { expect, test } from "vitest";
import { FENCE_AFTER_MS, type Liveness } from "../../domain/link-liveness.ts";
import { judgeNodes, LOST_AFTER_MS, type Sighting } from "./judge-nodes.ts";

const NOW_MS = 1_000_000;
const TIMES = { now: 0, nowMs: NOW_MS, watchingSinceMs: 0 };

const sighted =
  (kind: Liveness["kind"]) =>
  (nodeId: string, agoMs: number): Sighting => {
    const liveness = { kind, lastSeenMs: NOW_MS - agoMs };
    return { nodeId, state: "ready", since: 0, greetedMs: null, liveness };
  };
const seen = sighted("linked");
const cut = sighted("unlinked");
const unresponsive = sighted("unresponsive");

function never(nodeId: string): Sighting {
  return { nodeId, state: "ready", since: 0, greetedMs: null, liveness: null };
}

test.each<[string, Sighting, boolean]>([
  ["seen just now", seen("a", 0), false],
  ["silent until the fence", seen("a", LOST_AFTER_MS - 1), false],
  ["silent beyond the fence", seen("a", LOST_AFTER_MS), true],
  ["cut off until the fence", cut("a", LOST_AFTER_MS - 1), false],
  ["cut off beyond the fence", cut("a", LOST_AFTER_MS), true],
  ["unresponsive until the fence", unresponsive("a", LOST_AFTER_MS - 1), false],
  ["unresponsive beyond the fence", unresponsive("a", LOST_AFTER_MS), true],
  ["never linked here", never("a"), true],
  ["draining and silent", { ...seen("a", LOST_AFTER_MS), state: "draining" }, true],
  ["lost already", { ...seen("a", LOST_AFTER_MS), state: "lost" }, false],
  ["gone", { ...seen("a", LOST_AFTER_MS), state: "gone" }, false],
])("a node %s: lost is %s", (_, sighting, isLost) => {
  expect(judgeNodes([sighting], TIMES).lostNodeIds).toEqual(isLost ? ["a"] : []);
});

test("a hello counts as a sighting, though no list has the node yet, or has it as it was before", () => {
  for (const before of [never("a"), cut("a", 100_000)]) {
    const greeted = (agoMs: number): Sighting => ({ ...before, greetedMs: NOW_MS - agoMs });
    expect(judgeNodes([greeted(0), seen("d", 0)], TIMES)).toEqual({ lostNodeIds: [], isBreakerOpen: false });
    expect(judgeNodes([greeted(LOST_AFTER_MS - 1), seen("d", 0)], TIMES).lostNodeIds).toEqual([]);
    expect(judgeNodes([greeted(LOST_AFTER_MS), seen("d", 0), seen("e", 0)], TIMES).lostNodeIds).toEqual(["a"]);
    // Nor is a fleet that joins taken for one that goes.
    const fleet = [greeted(0), greeted(0), greeted(0), seen("d", 0), cut("e", 20_000)];
    expect(judgeNodes(fleet, TIMES).isBreakerOpen).toBe(false);
  }
});

test("a leader judges nobody by what it has not watched itself", () => {
  const present = [seen("d", 0), seen("e", 0), seen("f", 0)];
  const sightings = [seen("a", 100_000), never("b"), cut("c", 100_000), ...present];
  const since = (ms: number) => ({ ...TIMES, watchingSinceMs: NOW_MS - ms });
  expect(judgeNodes(sightings, since(LOST_AFTER_MS - 1)).lostNodeIds).toEqual([]);
  expect(judgeNodes(sightings, since(LOST_AFTER_MS)).lostNodeIds).toEqual(["a", "b", "c"]);
});

test("when more than 55 in a hundred go at once, nobody is lost", () => {
  const three = [cut("a", 20_000), cut("b", 20_000), cut("c", 20_000)];
  expect(judgeNodes([...three, seen("d", 0)], TIMES)).toEqual({ lostNodeIds: [], isBreakerOpen: true });
  expect(judgeNodes([...three, seen("d", 0), seen("e", 0)], TIMES)).toEqual({ lostNodeIds: [], isBreakerOpen: true });
  const six = [...three, seen("d", 0), seen("e", 0), seen("f", 0)];
  expect(judgeNodes(six, TIMES)).toEqual({ lostNodeIds: ["a", "b", "c"], isBreakerOpen: false });
});

test("nodes of which heartbeats alone arrive are not counted as gone", () => {
  const sightings = [cut("a", 20_000), unresponsive("b", 3_000), unresponsive("c", 3_000), unresponsive("d", 3_000)];
  expect(judgeNodes(sightings, TIMES)).toEqual({ lostNodeIds: ["a"], isBreakerOpen: false });
});

test("declares nodes lost in spite of a mass failure when an operator releases the circuit breaker", () => {
  const three = [cut("a", 20_000), cut("b", 20_000), cut("c", 20_000)];
  expect(judgeNodes([...three, seen("d", 0)], TIMES, true)).toEqual({
    lostNodeIds: ["a", "b", "c"],
    isBreakerOpen: false,
  });
});

test.each<[string, readonly Sighting[], readonly string[]]>([
  ["all of three go, nobody is lost", [cut("a", 20_000), cut("b", 20_000), cut("c", 20_000)], []],
  ["two of three go, both are lost", [cut("a", 20_000), cut("b", 20_000), seen("c", 0)], ["a", "b"]],
  ["both of two go, nobody is lost", [cut("a", 20_000), cut("b", 20_000)], []],
  ["a node alone goes, it is lost", [cut("a", 20_000)], ["a"]],
])("when %s", (_, sightings, lostNodeIds) => {
  expect(judgeNodes(sightings, TIMES)).toEqual({ lostNodeIds, isBreakerOpen: lostNodeIds.length === 0 });
});

test("the first of many to fall silent is not lost before the others are seen to be silent too", () => {
  const fading = [
    seen("a", LOST_AFTER_MS),
    seen("b", LOST_AFTER_MS - 1_000),
    seen("c", LOST_AFTER_MS - 3_000),
    seen("d", 0),
  ];
  expect(judgeNodes(fading, TIMES)).toEqual({ lostNodeIds: [], isBreakerOpen: true });
});

test("nodes lost within the last minute count as gone at once, those lost before do not", () => {
  const lostAt = (nodeId: string, since: number): Sighting => ({ ...cut(nodeId, 0), state: "lost", since });
  const sightings = (since: number) => [
    lostAt("a", since),
    lostAt("b", since),
    cut("c", 20_000),
    seen("d", 0),
    seen("e", 0),
  ];
  const times = { ...TIMES, now: 100_000 };
  expect(judgeNodes(sightings(50_000), times)).toEqual({ lostNodeIds: [], isBreakerOpen: true });
  expect(judgeNodes(sightings(30_000), times)).toEqual({ lostNodeIds: ["c"], isBreakerOpen: false });
});

test("never declares a node lost before its agent has passed the fence, whatever the others do", () => {
  const sighting = fc.record({ agoMs: fc.nat({ max: 60_000 }), linked: fc.boolean() });
  fc.assert(
    fc.property(fc.array(sighting), (given) => {
      const sightings = given.map(({ agoMs, linked }, n) => (linked ? seen(`${n}`, agoMs) : cut(`${n}`, agoMs)));
      for (const nodeId of judgeNodes(sightings, TIMES).lostNodeIds) {
        expect(given[Number(nodeId)]?.agoMs).toBeGreaterThan(FENCE_AFTER_MS);
      }
    }),
  );
});
