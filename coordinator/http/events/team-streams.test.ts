import type { Clock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { aTask } from "../../domain/testing/records.ts";
import { MemoryView } from "../../store/view/view.ts";
import { EventStream } from "../sse/event-stream.ts";
import { type Position, TeamStreams } from "./team-streams.ts";

const SILENT = createLog({ name: "test", level: "silent" });
const TEAM = "t";
const SECOND_MS = 1_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A coordinator's view, to which records are brought as the store has them. */
function opened(epoch = 1) {
  const clock = { now: () => Date.now(), monotonicMs: () => Date.now() } as Clock;
  const view = new MemoryView({ clock, log: SILENT });
  const bring = (id: string, teamId: string, revision: number) => {
    view.put("tasks", id, { ...aTask({ id: "s" }), id, teamId }, revision);
    view.completeUpTo(revision);
  };
  bring("before", TEAM, 10);
  const streams = new TeamStreams({ store: { view, epoch }, clock });
  const follow = (after: Position | null, teamId = TEAM) => {
    const stream = new EventStream({ mayReceive: () => true, onClosed: () => undefined });
    streams.follow(teamId, stream, after);
    return () => eventsOf(String(stream.body.read() ?? ""));
  };
  return { view, bring, follow };
}

/** Each as `<id> <type> <records>`. */
function eventsOf(text: string): string[] {
  return [...text.matchAll(/id: (\S+)\nevent: (\w+)\ndata: (.*)\n\n/g)].map(([, id, type, data]) => {
    const { changes = [] } = JSON.parse(data ?? "") as { readonly changes?: readonly { readonly id: string }[] };
    return [id, type, ...changes.map((change) => change.id)].join(" ");
  });
}

test("sends all of a team's changes together, and a record at most once a second", () => {
  const { bring, follow } = opened();
  const [events, others] = [follow(null), follow(null, "other")];
  expect([events(), others()]).toEqual([["1-10 reset"], ["1-10 reset"]]);
  bring("a", TEAM, 11);
  bring("b", TEAM, 12);
  bring("c", "other", 13);
  vi.advanceTimersByTime(50);
  expect([events(), others()]).toEqual([["1-13 changes a b"], ["1-13 changes c"]]);
  for (let revision = 20; revision < 30; revision++) bring("a", TEAM, revision);
  vi.advanceTimersByTime(SECOND_MS / 2);
  expect(events()).toEqual([]);
  vi.advanceTimersByTime(SECOND_MS / 2);
  expect(events()).toEqual(["1-29 changes a"]);
});

test("continues after the revision that a client names, seen at another coordinator", () => {
  const { bring, follow } = opened();
  bring("a", TEAM, 11);
  bring("b", TEAM, 12);
  expect(follow({ epoch: 1, revision: 11 })()).toEqual(["1-12 changes b"]);
  expect(follow({ epoch: 1, revision: 10 })()).toEqual(["1-12 changes a b"]);
  // That coordinator was ahead of this one.
  const ahead = follow({ epoch: 1, revision: 13 });
  bring("c", TEAM, 14);
  vi.advanceTimersByTime(50);
  expect(ahead()).toEqual(["1-12 changes", "1-14 changes c"]);
});

test("has a client read again that names a revision of before this process began, or of a store of before a restore", () => {
  const { follow } = opened(2);
  expect(follow({ epoch: 2, revision: 9 })()).toEqual(["2-10 reset"]);
  expect(follow({ epoch: 1, revision: 99 })()).toEqual(["2-10 reset"]);
});

test("names no revision of which something is still to come", () => {
  const { view, bring, follow } = opened();
  const events = follow(null);
  events();
  // What this process committed is in its view before what others committed earlier.
  view.putOwn("tasks", "own", { ...aTask({ id: "s" }), id: "own", teamId: TEAM }, 15);
  vi.advanceTimersByTime(50);
  expect(events()).toEqual(["1-10 changes own"]);
  bring("earlier", TEAM, 12);
  vi.advanceTimersByTime(SECOND_MS);
  expect(events()).toEqual(["1-12 changes earlier"]);
});

test("shows a client of a quiet team now and then that it is connected, and a newer revision", () => {
  const { bring, follow } = opened();
  const events = follow(null);
  events();
  bring("c", "other", 40);
  vi.advanceTimersByTime(15_000);
  expect(events()).toEqual(["1-40 changes"]);
});
