import { expect, test } from "vitest";
import { idPrefixOf, rankOf } from "./search-match.ts";

const ID = "01a20ab4216579d78c4a76e1f4f939cb";

test("ranks a name that is meant before one that begins so, the start of an id, and a part of a name", () => {
  const rank = (query: string) => rankOf(query, { id: ID, name: "My-Sudoku" });
  expect(["my-sudoku", ID, "MY-", "01a20ab42", "sudoku", "chess"].map(rank)).toEqual([0, 0, 1, 2, 3, null]);
});

test("takes for the start of an id only what few ids begin with", () => {
  expect(["01a20ab4", "01A20AB42165", ID].map(idPrefixOf)).toEqual(["01a20ab4", "01a20ab42165", ID]);
  expect(["01a20ab", `${ID}0`, "sudoku-1", ""].map(idPrefixOf)).toEqual([null, null, null, null]);
});

test("reads no pattern into what is typed", () => {
  expect(rankOf(".*", { id: ID, name: "prover" })).toBeNull();
  expect(rankOf("%", { id: ID, name: "a%b" })).toBe(3);
});
