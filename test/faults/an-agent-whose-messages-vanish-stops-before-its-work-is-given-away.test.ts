import { test } from "vitest";
import { isolateAgent } from "../scenario/isolated-agent.ts";

test("it receives what is sent, and nobody receives it: its attempts are abandoned, then proved elsewhere", async () => {
  await isolateAgent(["outgoing"]);
});
