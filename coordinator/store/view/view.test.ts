import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import type { Team } from "../../domain/team.ts";
import type { RecordChange } from "../store.ts";
import { MemoryView } from "./view.ts";

const log = createLog({ name: "test", level: "silent" });
const team = (name: string): Team => ({ id: "t", name, createdAt: 0 });

function openView() {
  const view = new MemoryView({ clock: systemClock, log });
  const changes: (string | undefined)[] = [];
  view.teams.subscribe(({ after }) => changes.push(after?.value.name));
  return { view, changes, name: () => view.teams.get("t")?.value.name };
}

test("ignores what is older than what is known, and notifies nobody of it", () => {
  const { view, changes, name } = openView();
  view.put("teams", "t", team("new"), 7);
  view.put("teams", "t", team("old"), 6);
  view.put("teams", "t", team("again"), 7);
  view.remove("teams", "t", 5);
  expect(name()).toBe("new");
  expect(changes).toEqual(["new"]);
});

test("a record that this process removed is not brought back by the feed's earlier events", () => {
  const { view, changes, name } = openView();
  view.putOwn("teams", "t", team("one"), 5);
  view.removeOwn("teams", "t", 8);
  view.put("teams", "t", team("two"), 6);
  view.completeUpTo(6);
  view.put("teams", "t", team("three"), 7);
  view.remove("teams", "t", 8);
  view.completeUpTo(8);
  expect(name()).toBeUndefined();
  expect(changes).toEqual(["one", undefined]);
  view.put("teams", "t", team("four"), 9);
  expect(name()).toBe("four");
});

test("a commit whose fate this process learns late does not bring back what was removed meanwhile", () => {
  const { view, changes, name } = openView();
  view.put("teams", "t", team("one"), 5);
  view.remove("teams", "t", 6);
  view.completeUpTo(6);
  view.putOwn("teams", "t", team("one"), 5);
  expect(name()).toBeUndefined();
  expect(changes).toEqual(["one", undefined]);
});

test("removes what a complete list does not have, but for what was written after it", async () => {
  const { view } = openView();
  view.put("teams", "old", team("old"), 3);
  view.put("teams", "kept", team("kept"), 4);
  view.put("teams", "newer", team("newer"), 9);
  await view.removeAllBut(new Set(["/elastic/v1/records/teams/kept"]), 8);
  expect([...view.teams.values()].map(({ value }) => value.name)).toEqual(["kept", "newer"]);
});

test("a subscriber sees the change in the view, and one that throws stops no other", () => {
  const { view, changes, name } = openView();
  const seen: (string | undefined)[] = [];
  view.teams.subscribe(() => {
    throw new Error("a bug");
  });
  const stop = view.teams.subscribe((change: RecordChange<Team>) => {
    seen.push(`${change.before?.value.name} → ${change.after?.value.name} (${name()})`);
  });
  view.put("teams", "t", team("one"), 1);
  view.put("teams", "t", team("two"), 2);
  stop();
  view.put("teams", "t", team("three"), 3);
  expect(seen).toEqual(["undefined → one (one)", "one → two (two)"]);
  expect(changes).toEqual(["one", "two", "three"]);
});
