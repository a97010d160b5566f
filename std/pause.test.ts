import { expect, test } from "vitest";
import { pause } from "./pause.ts";

test("a pause ends when its time is over", async () => {
  await pause(1, new AbortController().signal);
});

test("a pause ends at once when its signal aborts, before or meanwhile", async () => {
  const stop = new AbortController();
  const long = pause(2 ** 30, stop.signal);
  stop.abort();
  await long;
  await expect(pause(2 ** 30, stop.signal)).resolves.toBeUndefined();
});
