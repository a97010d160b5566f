import fc from "fast-check";
import { expect, test } from "vitest";
import { type Reach, reachesFarFewer, relayedBy } from "./relay-rule.ts";

function reach(nodes: string, leaderEpoch: number | null = null): Reach {
  return { nodes: new Set(nodes), unresponsive: new Set(), leaderEpoch, isCandidate: true, canCommand: true };
}

test("relays to the nodes that the leader does not reach, under its epoch", () => {
  const others = new Map([["b", reach("xy", 7)]]);
  expect(relayedBy("a", reach("xyz"), others)).toEqual({ epoch: 7, nodes: new Set("z") });
});

test("leaves a node to the coordinator with the lowest id that reaches it", () => {
  const leader = ["l", reach("", 7)] as const;
  const a = reach("x");
  const b = reach("xy");
  expect(relayedBy("a", a, new Map([leader, ["b", b]]))?.nodes).toEqual(new Set("x"));
  expect(relayedBy("b", b, new Map([leader, ["a", a]]))?.nodes).toEqual(new Set("y"));
});

test("leaves nothing to a gateway, which cannot command", () => {
  const gateway = { ...reach("x"), canCommand: false };
  const leader = ["l", reach("", 7)] as const;
  expect(relayedBy("a", gateway, new Map([leader]))).toBeNull();
  expect(relayedBy("b", reach("x"), new Map([leader, ["a", gateway]]))?.nodes).toEqual(new Set("x"));
});

test("goes by the newest of two that think they lead", () => {
  const others = new Map([
    ["b", reach("x", 9)],
    ["c", reach("", 8)],
  ]);
  expect(relayedBy("a", reach("xy"), others)).toEqual({ epoch: 9, nodes: new Set("y") });
});

test("relays nothing where it leads itself, or where nobody is known to", () => {
  expect(relayedBy("a", reach("x", 8), new Map([["b", reach("", 7)]]))).toBeNull();
  expect(relayedBy("a", reach("x"), new Map([["b", reach("")]]))).toBeNull();
});

test("of any coordinators exactly one commands each node that somebody reaches", () => {
  const letters = fc.subarray(["p", "q", "r", "s"]).map((nodes) => nodes.join(""));
  fc.assert(
    fc.property(fc.array(letters, { minLength: 1, maxLength: 5 }), fc.nat(4), (reached, at) => {
      const leads = at % reached.length;
      const all = new Map(reached.map((nodes, n) => [`c${n}`, reach(nodes, n === leads ? 3 : null)] as const));
      for (const node of new Set(reached.join(""))) {
        const commanding = [...all].filter(([id, own]) => {
          const others = new Map([...all].filter(([other]) => other !== id));
          return own.leaderEpoch === null ? relayedBy(id, own, others)?.nodes.has(node) : own.nodes.has(node);
        });
        expect(commanding).toHaveLength(1);
      }
    }),
  );
});

test.each([
  ["", "x", true],
  ["x", "xy", false],
  ["x", "xyz", true],
  ["", "", false],
])("a leader that reaches '%s' where another reaches '%s': should resign is %s", (own, other, resigns) => {
  expect(reachesFarFewer(reach(own), [reach(other)])).toBe(resigns);
  expect(reachesFarFewer(reach(own), [{ ...reach(other), isCandidate: false }])).toBe(false);
});
