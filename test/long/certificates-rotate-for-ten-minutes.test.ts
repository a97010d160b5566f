import { expect, test } from "vitest";
import { startEnrolledFleet } from "../cluster/enrolled-fleet.ts";
import { proveUntil } from "../system/rotation.ts";

const MINUTES = 10;
const CERTIFICATE_SECONDS = 60;

test("certificates of one minute rotate for ten minutes under a stream of tasks, and none fails or is made twice", async () => {
  await using fleet = await startEnrolledFleet({ machines: 2, certificateSeconds: CERTIFICATE_SECONDS });
  let renewed = 0;
  for (const [index, machine] of fleet.machines.entries()) {
    await fleet.paste(machine, await fleet.token("--node", `gpu-${index}`), `agent-${index}`);
    const agent = await fleet.start(machine, `agent-${index}`);
    const counted = (line: string) => {
      if (line.includes("linked with the renewed certificate")) renewed += 1;
      return agent.child().exit() === null ? undefined : true;
    };
    void agent
      .child()
      .line(counted, (MINUTES + 5) * 60_000)
      .catch(() => undefined);
  }
  const endAt = performance.now() + MINUTES * 60_000;
  const { succeeded, failed, repeated } = await proveUntil(fleet, () => performance.now() > endAt);
  expect({ failed, repeated }).toEqual({ failed: [], repeated: [] });
  expect(succeeded).toBeGreaterThan(1_000);
  // One each 40 s at the latest, on each of the two.
  expect(renewed).toBeGreaterThanOrEqual(2 * ((MINUTES * 60) / 40 - 1));
});
