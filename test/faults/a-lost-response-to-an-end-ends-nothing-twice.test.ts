import { test } from "vitest";
import { loseResponsesTo } from "../scenario/lost-responses.ts";

test("the end that was written is found, and the agent's report counts once", async () => {
  await loseResponsesTo('"phase":{"kind":"succeeded"');
});
