import fc from "fast-check";
import { expect, test } from "vitest";
import { type Hearing, hearsFarFewer, relayedBy } from "./relay-rule.ts";

function hearing(nodes: string, leaderEpoch: number | null = null): Hearing {
  return { nodes: new Set(nodes), leaderEpoch, isCandidate: true };
}

test("relays to the nodes that the leader does not hear, under its epoch", () => {
  const others = new Map([["b", hearing("xy", 7)]]);
  expect(relayedBy("a", hearing("xyz"), others)).toEqual({ epoch: 7, nodes: new Set("z") });
});

test("leaves a node to the coordinator with the lowest id that hears it", () => {
  const leader = ["l", hearing("", 7)] as const;
  const a = hearing("x");
  const b = hearing("xy");
  expect(relayedBy("a", a, new Map([leader, ["b", b]]))?.nodes).toEqual(new Set("x"));
  expect(relayedBy("b", b, new Map([leader, ["a", a]]))?.nodes).toEqual(new Set("y"));
});

test("goes by the newest of two that think they lead", () => {
  const others = new Map([
    ["b", hearing("x", 9)],
    ["c", hearing("", 8)],
  ]);
  expect(relayedBy("a", hearing("xy"), others)).toEqual({ epoch: 9, nodes: new Set("y") });
});

test("relays nothing where it leads itself, or where nobody is known to", () => {
  expect(relayedBy("a", hearing("x", 8), new Map([["b", hearing("", 7)]]))).toBeNull();
  expect(relayedBy("a", hearing("x"), new Map([["b", hearing("")]]))).toBeNull();
});

test("of any coordinators exactly one commands each node that somebody hears", () => {
  const letters = fc.subarray(["p", "q", "r", "s"]).map((nodes) => nodes.join(""));
  fc.assert(
    fc.property(fc.array(letters, { minLength: 1, maxLength: 5 }), fc.nat(4), (heard, at) => {
      const leads = at % heard.length;
      const all = new Map(heard.map((nodes, n) => [`c${n}`, hearing(nodes, n === leads ? 3 : null)] as const));
      for (const node of new Set(heard.join(""))) {
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
])("a leader that hears '%s' beside one that hears '%s': should resign is %s", (own, other, resigns) => {
  expect(hearsFarFewer(hearing(own), [hearing(other)])).toBe(resigns);
  expect(hearsFarFewer(hearing(own), [{ ...hearing(other), isCandidate: false }])).toBe(false);
});
