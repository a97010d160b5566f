import { expect, test } from "vitest";
import { afterEvent, NOTHING_PUSHED, type PushEvent } from "./push-state.ts";
import { doneText, pushBars } from "./push-text.ts";

function after(...events: readonly PushEvent[]) {
  return events.reduce(afterEvent, NOTHING_PUSHED);
}

test("each layer under way has a bar, and those that are done are counted", () => {
  const state = after(
    { id: "aaa", status: "Preparing" },
    { id: "bbb", status: "Preparing" },
    { id: "ccc", status: "Layer already exists" },
    { id: "ddd", status: "Mounted from team/other" },
    { id: "bbb", status: "Pushing", progressDetail: { current: 500, total: 2_000 } },
    { id: "eee", status: "Pushing", progressDetail: { current: 7 } },
    { id: "eee", status: "Pushed" },
    { status: "latest: digest: sha256:x size: 1" },
  );
  expect(pushBars(state)).toEqual([
    "aaa  ························  waiting",
    "bbb  ██████··················  500 B of 2.0 kB",
    "Pushed 1 layer (7 B), 2 layers in the registry already.",
  ]);
});

test("a layer that grew beyond what was announced, or is tried again, keeps within its bar", () => {
  const state = after(
    { id: "a", status: "Pushing", progressDetail: { current: 3_000_000_000, total: 2_000_000_000 } },
    { id: "a", status: "Retrying in 5 seconds" },
    { id: "a", status: "Pushing", progressDetail: { current: 10, total: 2_000_000_000 } },
  );
  expect(pushBars(state)[0]).toBe(`a  ${"█".repeat(24)}  3.0 GB of 3.0 GB`);
});

test("of very many layers some are only counted", () => {
  const layers = Array.from({ length: 100 }, (_, index) => ({ id: `l${index}`, status: "Waiting" }));
  const bars = pushBars(after(...layers));
  expect(bars).toHaveLength(18);
  expect(bars.at(-2)).toBe("… and 84 more");
});

test("an event of an engine that is no progress changes nothing, and the digest stands at the end", () => {
  const state = after(
    { status: "The push refers to x" },
    { id: "v1", status: "v1: something" },
    { aux: { Digest: "d" } },
  );
  expect(state).toEqual({ layers: new Map(), digest: "d" });
  expect(doneText(state)).toBe("Pushed 0 layers (0 B).");
});
