import fc from "fast-check";
import { expect, test } from "vitest";
import { judgeNodes, RECONNECT_MS, SILENCE_MS, type Sighting } from "./judge-nodes.ts";

const NOW_MS = 1_000_000;
const TIMES = { now: 0, nowMs: NOW_MS, watchingSinceMs: 0 };

function seen(nodeId: string, agoMs: number): Sighting {
  return { nodeId, state: "ready", since: 0, liveness: { kind: "linked", lastSeenMs: NOW_MS - agoMs } };
}

function cut(nodeId: string, agoMs: number): Sighting {
  return { nodeId, state: "ready", since: 0, liveness: { kind: "unlinked", sinceMs: NOW_MS - agoMs } };
}

function never(nodeId: string): Sighting {
  return { nodeId, state: "ready", since: 0, liveness: null };
}

test.each<[string, Sighting, boolean]>([
  ["seen just now", seen("a", 0), false],
  ["silent for almost five heartbeats", seen("a", SILENCE_MS - 1), false],
  ["silent for five heartbeats", seen("a", SILENCE_MS), true],
  ["cut off a moment ago", cut("a", RECONNECT_MS - 1), false],
  ["cut off and not back", cut("a", RECONNECT_MS), true],
  ["never linked here", never("a"), true],
  ["draining and silent", { ...seen("a", SILENCE_MS), state: "draining" }, true],
  ["lost already", { ...seen("a", SILENCE_MS), state: "lost" }, false],
  ["gone", { ...seen("a", SILENCE_MS), state: "gone" }, false],
])("a node %s: lost is %s", (_, sighting, isLost) => {
  expect(judgeNodes([sighting], TIMES).lostNodeIds).toEqual(isLost ? ["a"] : []);
});

test("a leader judges nobody by what it has not watched itself", () => {
  const sightings = [seen("a", 100_000), never("b"), cut("c", 100_000)];
  const since = (ms: number) => ({ ...TIMES, watchingSinceMs: NOW_MS - ms });
  expect(judgeNodes(sightings, since(RECONNECT_MS - 1)).lostNodeIds).toEqual([]);
  expect(judgeNodes(sightings, since(SILENCE_MS - 1)).lostNodeIds).toEqual(["c"]);
  expect(judgeNodes(sightings, since(SILENCE_MS)).lostNodeIds).toEqual(["a", "b", "c"]);
});

test("when more than 55 in a hundred go at once, nobody is lost", () => {
  const three = [cut("a", 6_000), cut("b", 6_000), cut("c", 6_000)];
  expect(judgeNodes([...three, seen("d", 0)], TIMES)).toEqual({ lostNodeIds: [], isBreakerOpen: true });
  expect(judgeNodes([...three, seen("d", 0), seen("e", 0)], TIMES)).toEqual({ lostNodeIds: [], isBreakerOpen: true });
  const six = [...three, seen("d", 0), seen("e", 0), seen("f", 0)];
  expect(judgeNodes(six, TIMES)).toEqual({ lostNodeIds: ["a", "b", "c"], isBreakerOpen: false });
});

test("declares nodes lost in spite of a mass failure when an operator releases the circuit breaker", () => {
  const three = [cut("a", 6_000), cut("b", 6_000), cut("c", 6_000)];
  expect(judgeNodes([...three, seen("d", 0)], TIMES, true)).toEqual({
    lostNodeIds: ["a", "b", "c"],
    isBreakerOpen: false,
  });
});

test("never opens the circuit breaker with fewer than four nodes", () => {
  expect(judgeNodes([cut("a", 6_000), cut("b", 6_000), cut("c", 6_000)], TIMES)).toEqual({
    lostNodeIds: ["a", "b", "c"],
    isBreakerOpen: false,
  });
});

test("the first of many to fall silent is not lost before the others are seen to be silent too", () => {
  const fading = [seen("a", SILENCE_MS), seen("b", SILENCE_MS - 1_000), seen("c", SILENCE_MS - 3_000), seen("d", 0)];
  expect(judgeNodes(fading, TIMES)).toEqual({ lostNodeIds: [], isBreakerOpen: true });
});

test("nodes lost within the last minute count as gone at once, those lost before do not", () => {
  const lostAt = (nodeId: string, since: number): Sighting => ({ ...cut(nodeId, 0), state: "lost", since });
  const sightings = (since: number) => [
    lostAt("a", since),
    lostAt("b", since),
    cut("c", 6_000),
    seen("d", 0),
    seen("e", 0),
  ];
  const times = { ...TIMES, now: 100_000 };
  expect(judgeNodes(sightings(50_000), times)).toEqual({ lostNodeIds: [], isBreakerOpen: true });
  expect(judgeNodes(sightings(30_000), times)).toEqual({ lostNodeIds: ["c"], isBreakerOpen: false });
});

test("never declares a node lost that was seen within five heartbeats, whatever the others do", () => {
  const sighting = fc.record({ agoMs: fc.nat({ max: 60_000 }), linked: fc.boolean() });
  fc.assert(
    fc.property(fc.array(sighting), (given) => {
      const sightings = given.map(({ agoMs, linked }, n) => (linked ? seen(`${n}`, agoMs) : cut(`${n}`, agoMs)));
      for (const nodeId of judgeNodes(sightings, TIMES).lostNodeIds) {
        const { agoMs, linked } = given[Number(nodeId)] ?? { agoMs: 0, linked: true };
        expect(agoMs).toBeGreaterThanOrEqual(linked ? SILENCE_MS : RECONNECT_MS);
      }
    }),
  );
});
