import { afterEach, beforeEach, expect, test } from "vitest";
import { QUARANTINE_MS, quarantined } from "../../domain/quarantine.ts";
import { aNode } from "../../domain/testing/records.ts";
import type { Store } from "../../store/store.ts";
import { type LeadersTurn, openLeadersTurn } from "../testing/leaders-turn.ts";
import { releaseQuarantines } from "./release-quarantines.ts";
import type { TurnContext } from "./turn-context.ts";

let nowMs = 100_000;
let turn: LeadersTurn;
let store: Store;
let context: TurnContext;

beforeEach(async () => {
  nowMs = 100_000;
  const nodes = [quarantined(aNode("bad"), "why", nowMs), aNode("good")];
  turn = await openLeadersTurn(
    () => nowMs,
    nodes,
    () => ({ kind: "linked", lastSeenMs: nowMs }),
  );
  ({ store, context } = turn);
});
afterEach(() => turn.close());

async function gauge(): Promise<string | undefined> {
  return (await turn.scrape()).match(/^elastic_nodes_quarantined (\d+)$/m)?.[1];
}

test("releases a node an hour after the last message that was refused, with an audit entry", async () => {
  const stateOf = (id: string) => store.view.nodes.get(id)?.value.state;
  nowMs += QUARANTINE_MS - 1;
  releaseQuarantines(context);
  expect([stateOf("bad"), await gauge()]).toEqual(["draining", "1"]);
  nowMs += 1;
  releaseQuarantines(context);
  await expect.poll(() => stateOf("bad")).toBe("ready");
  releaseQuarantines(context);
  expect([stateOf("good"), await gauge()]).toEqual(["ready", "0"]);
  expect([...store.view.auditEntries.values()].map(({ value }) => value)).toMatchObject([
    { action: "releaseNode", object: { id: "bad" }, before: { quarantined: "why" }, after: { state: "ready" } },
  ]);
});
