import { expect, test } from "vitest";
import { loggedAt } from "../scenario/agent-log.ts";
import { cutOff } from "../scenario/packets.ts";
import { startScenario } from "../scenario/scenario.ts";

/** Longer than a node may be silent before it is lost. */
const CUT_OFF_MS = 20_000;

test("no node is lost, and no proof is repeated", async () => {
  await using run = await startScenario({ coordinators: 2, machines: 1 });
  const [other] = (await run.roles()).others;
  const [agent] = run.cluster.agents;
  const [machine] = run.lines.machines;
  if (other === undefined || agent === undefined || machine === undefined) throw new Error("two of each were started");
  await run.fault(async () => {
    const cut = await cutOff(machine, ["incoming", "outgoing"], other.grpc.split(":").at(-1));
    await run.lasts(CUT_OFF_MS);
    expect(await cut.dropped()).toBeGreaterThan(0);
    expect(loggedAt(agent, "link lost")).toHaveLength(1);
    await cut.heal();
  });
  const { accepted, attemptsMax, requeues } = await run.verdict();
  expect(accepted.during).toBeGreaterThan(50);
  expect({ attemptsMax, requeues }).toEqual({ attemptsMax: 1, requeues: [] });
});
