import { test } from "vitest";
import { isolateAgent } from "../scenario/isolated-agent.ts";

test("what it sends arrives, and no acknowledgement does: its attempts are abandoned, then proved elsewhere", async () => {
  await isolateAgent(["incoming"]);
});
