import { lineWithMessage } from "@elastic/deploy/local/json-line.ts";
import { expect, test } from "vitest";
import { startEnrolledFleet } from "../cluster/enrolled-fleet.ts";
import { proveUntil, renewals } from "./rotation.ts";

/** A third of it is left when it is renewed. */
const CERTIFICATE_SECONDS = 12;
const RENEWALS_MIN = 3;
const LINES = 2000;

test("two machines join by the printed line, and their certificates are renewed under a stream of tasks", async () => {
  await using fleet = await startEnrolledFleet({ machines: 2, certificateSeconds: CERTIFICATE_SECONDS });
  const [one, two] = fleet.machines;
  if (one === undefined || two === undefined) throw new Error("two machines were started");
  const line = await fleet.token("--node", "gpu-1");
  expect(line).toMatch(
    /^echo ejt_\S+ \| elastic-agent enroll --coordinator \S+ --token-file - --ca-sha256 [0-9a-f]{64} --node gpu-1$/,
  );
  // Each agent starts at once: from then on it renews its certificate, which could end before on a busy machine.
  expect(await fleet.paste(one, line, "one")).toContain("this machine is node gpu-1");
  const first = await fleet.start(one, "one");
  expect(await fleet.paste(two, await fleet.token("--node", "gpu-2"), "two")).toContain("this machine is node gpu-2");
  const agents = [first, await fleet.start(two, "two")];
  expect(agents.map((agent) => agent.ready().nodeId)).toEqual(["gpu-1", "gpu-2"]);

  const enough = () => agents.every((agent) => renewals(agent.child().tail(LINES)) >= RENEWALS_MIN);
  const { succeeded, failed, repeated } = await proveUntil(fleet, enough);
  expect(failed).toEqual([]);
  expect(repeated).toEqual([]);
  expect(succeeded).toBeGreaterThan(20);
  // Each went over while the link before stood: none was lost on the way.
  for (const agent of agents) expect(agent.child().tail(LINES)).not.toContain("link lost");
});

test("rejects a used token, a wrong authority and a late token, and disconnects an evicted machine within 5 s", async () => {
  await using fleet = await startEnrolledFleet({ machines: 2, certificateSeconds: 3600 });
  const [one, two] = fleet.machines;
  if (one === undefined || two === undefined) throw new Error("two machines were started");
  const line = await fleet.token("--node", "gpu-1");
  await fleet.paste(one, line, "one");
  await expect(fleet.paste(two, line, "two")).rejects.toThrow(/the coordinator refused: the token was used already/);
  const wrong = (await fleet.token("--node", "gpu-2")).replace(/--ca-sha256 \w+/, `--ca-sha256 ${"0".repeat(64)}`);
  await expect(fleet.paste(two, wrong, "two")).rejects.toThrow(
    /has no certificate of the authority in --ca-sha256: do not continue/,
  );
  const late = await fleet.token("--ttl", "1s");
  await expect
    .poll(() => fleet.paste(two, late, "late").catch((error: Error) => error.message), { timeout: 90_000 })
    .toContain("the token has ended");

  const agent = await fleet.start(one, "one");
  const evictedAt = performance.now();
  const client = fleet.cluster.client();
  expect((await client.call("/v1/nodes/gpu-1/evict", { method: "POST" })).status).toBe(204);
  const lost = (text: string) => (text.includes("was evicted") ? text : undefined);
  expect(await agent.child().line(lost, 10_000)).toContain("link lost");
  expect(performance.now() - evictedAt).toBeLessThan(5_000);
  const refused = (text: string) =>
    text.includes("does not respond") && text.includes("was evicted") ? text : undefined;
  await agent.child().line(refused, 20_000);
  await agent.stop();

  await fleet.paste(one, await fleet.token("--node", "gpu-1"), "one");
  await agent.start();
  await agent.child().line(lineWithMessage("linked"), 20_000);
});
