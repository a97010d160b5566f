import { expect, test } from "vitest";
import { orderBuilds } from "./order-builds.ts";

const builds = (...ids: readonly string[]) => ids.map((id) => ({ id, teamId: id[1] ?? "" }));
const order = (of: readonly { readonly id: string }[]) => of.map(({ id }) => id);

test("gives each team its oldest build in turn, and that one first whose last run is longest ago", () => {
  const lastRuns = new Map([
    ["a", 5],
    ["b", 0],
    ["c", 3],
  ]);
  const waiting = builds("1a", "2a", "3a", "4b", "5c", "6b");
  expect(order(orderBuilds(waiting, (team) => lastRuns.get(team) ?? 0))).toEqual(["4b", "5c", "1a", "6b", "2a", "3a"]);
});

test("keeps the order of age within a team and between teams that never ran", () => {
  expect(order(orderBuilds(builds("3a", "1b", "2a"), () => 0))).toEqual(["1b", "2a", "3a"]);
  expect(orderBuilds([], () => 0)).toEqual([]);
});
