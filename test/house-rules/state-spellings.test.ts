import { expect, test } from "vitest";
import { sourceFiles } from "./source-files.ts";
import { misspelledStates } from "./state-spellings.ts";

test("every state is spelled as its audience knows it", () => {
  const files = sourceFiles();
  expect(files.some(({ text }) => text.includes('"PENDING"'))).toBe(true);
  expect(misspelledStates(files)).toEqual([]);
});

test.each([
  ["coordinator/fleet/receive-report.ts", 'state === "SUCCESS"'],
  ["coordinator/scheduler/decide/decide-placement.ts", 'service.state === "Ready"'],
  ["coordinator/domain/task.ts", 'kind: "timed-out"'],
])("%s: %s is found", (path, text) => {
  expect(misspelledStates([{ path, text }])).toHaveLength(1);
});
