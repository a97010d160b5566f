import { expect, test } from "vitest";
import type { ServiceEntry } from "./entries.ts";
import { SlotUsage } from "./slot-usage.ts";
import { takeTurns } from "./take-turns.ts";

const SLOTS = 8;

test("gives room that comes free at once by what teams have and take, and not all of it to the one that used less", () => {
  const usage = new SlotUsage();
  // A second of a slot, which a minute of a slot that is taken outweighs.
  usage.hold("before", { teamId: "a", slots: 1 }, 1_000, 0);
  usage.release("before", 0);
  const taken: string[] = [];
  const step = ({ id, read }: ServiceEntry) => {
    if (taken.length === SLOTS) return false;
    taken.push(id);
    usage.hold(`${taken.length}`, { teamId: read?.value.teamId ?? "", slots: 1 }, 0, 0);
    return true;
  };
  const services = [serviceOf("a", "one"), serviceOf("b", "two"), serviceOf("b", "three")];
  takeTurns(services, usage, 0, { step, postpone: () => undefined });
  expect(taken).toEqual(["two", "one", "three", "one", "two", "one", "three", "one"]);
});

function serviceOf(teamId: string, id: string): ServiceEntry {
  const read = { value: { teamId }, revision: 1 };
  return { id, read, queue: { first: () => undefined }, unschedulableSinceMs: null } as unknown as ServiceEntry;
}
