import { expect, test } from "vitest";
import { chooseId, findByPrefix, isPartOfId, refuseTooShort } from "./choose-id.ts";

const IDS = [
  "01a21504699d7ee48da1f19af2595a9d",
  "01a21504699d7ee48da1f19af2595a9c",
  "01a2150000000000000000000000000b",
];

test.each([["latest"], ["01a21504"], ["01a21504699d7ee48da1f19af2595a9"]])("%s is a part of an id", (given) => {
  expect(isPartOfId(given)).toBe(true);
});

test.each([["01a2150"], [IDS[0] ?? ""], ["poseidon"], ["01A21504"], [""]])("%j is no part of an id", (given) => {
  expect(isPartOfId(given)).toBe(false);
});

test("refuses the beginning of an id that is shorter than 8 characters, and nothing else", () => {
  const short = { exitCode: 2, message: "01a2150 is too short for the beginning of the id of a task." };
  expect(() => refuseTooShort("task", "01a2150")).toThrow(expect.objectContaining(short));
  for (const given of ["01a21504", "latest", "t1", IDS[0] ?? ""]) refuseTooShort("task", given);
});

test("chooses the newest as latest, and the one id that begins so", () => {
  expect(chooseId("task", "latest", IDS)).toBe(IDS[0]);
  expect(chooseId("task", "01a21500", IDS)).toBe(IDS[2]);
  expect(chooseId("task", "01a2ffff", IDS)).toBe("01a2ffff");
});

test("refuses the beginning of several ids with the candidates, and latest of none", () => {
  const ambiguous = expect.objectContaining({ exitCode: 2, next: `Give one of: ${IDS[0]}, ${IDS[1]}.` });
  expect(() => chooseId("task", "01a21504", IDS)).toThrow(ambiguous);
  expect(() => chooseId("task", "latest", [])).toThrow("There is no task yet.");
});

test("finds the record whose id begins so, and none by `latest` or too short a beginning", () => {
  const find = (given: string) => findByPrefix("team", given, IDS, (id) => id);
  expect(find("01a21500")).toBe(IDS[2]);
  expect(find("latest")).toBeNull();
  expect(find("01a2150")).toBeNull();
  expect(() => find("01a21504")).toThrow("the beginning of several ids of a team");
});
