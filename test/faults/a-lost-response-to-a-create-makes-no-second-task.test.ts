import { test } from "vitest";
import { loseResponsesTo } from "../scenario/lost-responses.ts";

test("the record that was written is found, and each task is proved once", async () => {
  await loseResponsesTo('"created"]]');
});
