import { parseJsonLine } from "@elastic/deploy/local/json-line.ts";
import { expect, test } from "vitest";
import { startCluster } from "../cluster/cluster.ts";

const TRIES = 4;

test("logs that its coordinator is away, tries again less and less often, and serves when it is back", async () => {
  await using cluster = await startCluster();
  const client = cluster.client();
  const { service_id: echo } = await client.readyService("echo", { image: "builtin:echo" });
  const [coordinator] = cluster.coordinators;
  const [agent] = cluster.agents;
  if (coordinator === undefined || agent === undefined) throw new Error("the cluster has one of each");
  await coordinator.kill();
  const waits: number[] = [];
  await agent.child().line((line) => {
    const message = parseJsonLine(line)?.msg;
    const wait = /coordinator does not respond; retrying in ([\d.]+) s/.exec(String(message))?.[1];
    if (wait !== undefined) waits.push(Number(wait));
    return waits.length >= TRIES || undefined;
  }, 30_000);
  expect(Math.max(...waits)).toBeGreaterThan(waits[0] ?? 0);
  await coordinator.start();
  expect((await client.prove(echo, '"back"')).result).toBe("back");
});
