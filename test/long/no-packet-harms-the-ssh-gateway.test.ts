/** The packets of coordinator/shells/malformed.component.test.ts, for longer and differently each time; a failure prints its seed. */
import { breakPackets } from "@elastic/coordinator/shells/testing/broken-run.ts";
import { startServingGateway } from "@elastic/coordinator/shells/testing/test-gateway.ts";
import { test } from "vitest";

const RUNS = 500;

test("six thousand clients break a packet each, at every stage, and nobody else is disturbed", async () => {
  await using gateway = await startServingGateway();
  await breakPackets(gateway, await gateway.login(), RUNS);
});
