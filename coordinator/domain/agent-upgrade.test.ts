import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type AgentUpgrade,
  advanced,
  BATCH_MAX,
  isOrdered,
  paused,
  resumed,
  type UpgradedNode,
} from "./agent-upgrade.ts";
import { anAgentUpgrade } from "./testing/records.ts";

const MINUTE_MS = 60_000;
const START = 1_000_000;

function order(given: Partial<AgentUpgrade> = {}): AgentUpgrade {
  return anAgentUpgrade({ startedAt: START, batchSince: START, ...given });
}

function node(id: string, given: Partial<UpgradedNode> = {}): UpgradedNode {
  return { id, agentVersion: "1.0.0", state: "ready", since: 0, succeeded: 0, failed: 0, ...given };
}

const done = (id: string, given: Partial<UpgradedNode> = {}) => node(id, { agentVersion: "2.0.0", ...given });
const LATER = START + 2 * MINUTE_MS;

test("begins with one node, and continues with batches once that has settled", () => {
  const first = advanced(
    order(),
    ["d", "a", "b", "c", "e"].map((id) => node(id)),
    START,
  );
  expect([first.batch, first.through]).toEqual([["a"], "a"]);
  const rest = ["b", "c", "d", "e"].map((id) => node(id));
  expect(advanced(first, [node("a"), ...rest], LATER)).toBe(first);
  expect(advanced(first, [done("a", { since: LATER - 1 }), ...rest], LATER)).toBe(first);
  expect(advanced(first, [done("a"), ...rest], LATER)).toMatchObject({ batch: ["b", "c", "d"], through: "d" });
});

test("passes over nodes that are away or later, sends the order to one that comes back, and completes", () => {
  const nodes = [node("a", { state: "lost" }), done("b"), node("c", { agentVersion: "2.1.0" }), node("d")];
  const first = advanced(order(), nodes, START);
  expect(first).toMatchObject({ batch: ["d"], through: "d" });
  expect(isOrdered(first, node("a"))).toBe(true);
  expect(isOrdered(first, node("c", { agentVersion: "2.1.0" }))).toBe(false);
  const after = advanced(first, [done("d")], LATER);
  expect(after).toMatchObject({ state: { kind: "completed", at: LATER }, batch: [] });
  expect(isOrdered(after, node("a"))).toBe(false);
});

test.each([
  ["stays as it was", node("a"), "node a runs 1.0.0 still, 15 min after it was sent the order"],
  ["is lost", done("a", { state: "lost" }), "node a is lost since it runs 2.0.0"],
])("pauses when a node %s for too long", (_, of, why) => {
  const upgrade = order({ through: "a", batch: ["a"] });
  expect(advanced(upgrade, [of], START + 15 * MINUTE_MS)).toBe(upgrade);
  const now = START + 15 * MINUTE_MS + 1;
  expect(advanced(upgrade, [of], now).state).toEqual({ kind: "paused", at: now, why });
});

test("pauses when most tasks fail on an upgraded node, and not for a few", () => {
  const upgrade = order({ through: "a", batch: ["a"] });
  const { state } = advanced(upgrade, [done("a", { failed: 3, succeeded: 2 })], START + 1);
  expect(state).toMatchObject({ kind: "paused", why: "3 of 5 attempts failed on node a since it runs 2.0.0" });
  for (const of of [done("a", { failed: 2 }), done("a", { failed: 3, succeeded: 3 }), node("a", { failed: 9 })]) {
    expect(advanced(upgrade, [of], START + 1)).toBe(upgrade);
  }
});

test("sends no order while it is paused, and continues behind the batch after a resume", () => {
  const stopped = paused(order({ through: "a", batch: ["a"] }), "an operator", LATER);
  expect(isOrdered(stopped, node("a"))).toBe(false);
  expect(advanced(stopped, [node("a"), node("b")], LATER)).toBe(stopped);
  expect(advanced(resumed(stopped, LATER), [node("a"), node("b")], LATER)).toMatchObject({
    batch: ["b"],
    through: "b",
  });
});

test("returns only nodes of the version that a roll-back is from", () => {
  const back = order({ version: "1.0.0", rollbackFrom: "2.0.0" });
  const nodes = [node("a", { agentVersion: "0.9.0" }), done("b"), node("c")];
  expect(advanced(back, nodes, START)).toMatchObject({ batch: ["b"] });
});

/** Nodes of a fleet, and what becomes of each that is sent the order. */
const fleet = fc.uniqueArray(
  fc.record({
    id: fc.string({ minLength: 1, maxLength: 3 }),
    agentVersion: fc.constantFrom("1.0.0", "1.9.0", "2.0.0", "3.0.0"),
    becomes: fc.constantFrom("healthy", "healthy", "healthy", "stays", "lost", "fails tasks"),
    takesMs: fc.integer({ min: 0, max: 14 * MINUTE_MS }),
  }),
  { selector: ({ id }) => id, maxLength: 30 },
);

test("never has more nodes under way than a batch, none before the one before settled, and reaches all or pauses", () => {
  fc.assert(
    fc.property(fleet, fc.integer({ min: 1, max: BATCH_MAX }), (members, batchSize) => {
      let upgrade = order({ batchSize });
      let nodes = members.map(({ id, agentVersion }) => node(id, { agentVersion }));
      const orderedAt = new Map<string, number>();
      for (let now = START; upgrade.state.kind === "running" && now < START + 1000 * MINUTE_MS; now += MINUTE_MS) {
        const before = upgrade;
        upgrade = advanced(upgrade, nodes, now);
        const isNewBatch = upgrade.batch !== before.batch && upgrade.batch.length > 0;
        if (isNewBatch) {
          expect(upgrade.batch.length).toBeLessThanOrEqual(before.through === null ? 1 : batchSize);
          // All before are healthy at the version, and stay so.
          const reached = nodes.filter(({ id }) => before.through !== null && id <= before.through);
          for (const one of reached)
            expect([one.id, isOrdered(before, one), one.state]).toEqual([one.id, false, "ready"]);
        }
        for (const id of nodes.filter((one) => isOrdered(upgrade, one)).map((one) => one.id)) {
          expect(upgrade.batch).toContain(id);
          if (!orderedAt.has(id)) orderedAt.set(id, now);
        }
        const at = now;
        nodes = nodes.map((one) => {
          const { becomes = "", takesMs = 0 } = members.find(({ id }) => id === one.id) ?? {};
          const since = orderedAt.get(one.id);
          if (since === undefined || becomes === "stays" || at - since < takesMs || one.agentVersion === "2.0.0")
            return one;
          const state = becomes === "lost" ? ("lost" as const) : ("ready" as const);
          return { ...one, agentVersion: "2.0.0", state, since: at, failed: becomes === "fails tasks" ? 5 : 0 };
        });
      }
      const older = members.filter(({ agentVersion }) => agentVersion.startsWith("1."));
      const isFaulty = older.some(({ becomes }) => becomes !== "healthy");
      expect(upgrade.state.kind).toBe(isFaulty ? "paused" : "completed");
      if (!isFaulty) expect(nodes.filter(({ agentVersion }) => agentVersion.startsWith("1."))).toEqual([]);
    }),
  );
});

test("sends the order to the canary alone, then to batches without it, whatever has become of it", () => {
  const nodes = ["a", "b", "c", "d"].map((id) => node(id));
  const chosen = order({ canary: { nodeId: "c", isReached: false } });
  expect(nodes.filter((one) => isOrdered(chosen, one))).toEqual([]);
  const first = advanced(chosen, nodes, START);
  expect(first).toMatchObject({ batch: ["c"], through: null });
  expect(nodes.filter((one) => isOrdered(first, one)).map(({ id }) => id)).toEqual(["c"]);
  expect(advanced(first, nodes, LATER)).toBe(first);
  const settled = nodes.map((one) => (one.id === "c" ? done("c") : one));
  expect(advanced(first, settled, LATER)).toMatchObject({ batch: ["a", "b", "d"], through: "d" });
  // Passed over by an operator.
  expect(advanced(resumed(paused(first, "", LATER), LATER), nodes, LATER)).toMatchObject({ batch: ["a", "b", "d"] });
});

test("pauses where the canary is away before its turn, and begins with another node once resumed", () => {
  const chosen = order({ canary: { nodeId: "c", isReached: false } });
  const away = advanced(chosen, [node("a"), node("b"), node("c", { state: "lost" })], START);
  const why = "node c is lost, which was to go first: resume begins with another node";
  expect(away.state).toEqual({ kind: "paused", at: START, why });
  expect(advanced(resumed(away, LATER), [node("a"), node("b")], LATER)).toMatchObject({ batch: ["a"], through: "a" });
});
