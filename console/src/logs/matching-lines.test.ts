import { expect, test } from "vitest";
import { matchingLines } from "./matching-lines.ts";

const lines = ["Folding step 1", "\u001b[31mERR\u001b[0mOR in step 2", "done"].map((text, id) => ({
  id,
  taskId: "t",
  attempt: 1,
  text,
  cut: 0,
}));

test("finds a text as it is shown, in any case, through colours", () => {
  const found = (search: string) => matchingLines(lines, search).map(({ id }) => id);
  expect([found("STEP"), found("error"), found(" "), found("absent")]).toEqual([[0, 1], [1], [0, 1, 2], []]);
});
