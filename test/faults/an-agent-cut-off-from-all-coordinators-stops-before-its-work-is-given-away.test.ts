import { test } from "vitest";
import { isolateAgent } from "../scenario/isolated-agent.ts";

test("nothing passes in either direction: its attempts are abandoned, then proved elsewhere, and it returns", async () => {
  await isolateAgent(["incoming", "outgoing"]);
});
