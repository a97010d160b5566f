import { test } from "vitest";
import { loseResponsesTo } from "../scenario/lost-responses.ts";

test("the claim that was written is found, and its attempt is the only one", async () => {
  await loseResponsesTo('"phase":{"kind":"running"');
});
