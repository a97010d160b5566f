import fc from "fast-check";
import { expect, test } from "vitest";
import { FENCE_AFTER_MS } from "../../domain/link-liveness.ts";
import { judgeNodes, LOST_AFTER_MS, type Sighting } from "./judge-nodes.ts";

const NOW_MS = 1_000_000;
const TIMES = { now: 0, nowMs: NOW_MS, watchingSinceMs: 0 };

function seen(nodeId: string, agoMs: number): Sighting {
  return { nodeId, state: "ready", since: 0, liveness: { kind: "linked", lastSeenMs: NOW_MS - agoMs } };
}

function cut(nodeId: string, agoMs: number): Sighting {
  return { nodeId, state: "ready", since: 0, liveness: { kind: "unlinked", lastSeenMs: NOW_MS - agoMs } };
}

function never(nodeId: string): Sighting {
  return { nodeId, state: "ready", since: 0, liveness: null };
}

test.each<[string, Sighting, boolean]>([
  ["seen just now", seen("a", 0), false],
  ["silent until the fence", seen("a", LOST_AFTER_MS - 1), false],
  ["silent beyond the fence", seen("a", LOST_AFTER_MS), true],
  ["cut off until the fence", cut("a", LOST_AFTER_MS - 1), false],
  ["cut off beyond the fence", cut("a", LOST_AFTER_MS), true],
  ["never linked here", never("a"), true],
  ["draining and silent", { ...seen("a", LOST_AFTER_MS), state: "draining" }, true],
  ["lost already", { ...seen("a", LOST_AFTER_MS), state: "lost" }, false],
  ["gone", { ...seen("a", LOST_AFTER_MS), state: "gone" }, false],
])("a node %s: lost is %s", (_, sighting, isLost) => {
  expect(judgeNodes([sighting], TIMES).lostNodeIds).toEqual(isLost ? ["a"] : []);
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
