import { expect, test } from "vitest";
import { chosenFiles } from "./chosen-files.ts";

function file(name: string, webkitRelativePath = "") {
  return Object.assign(new Blob(["x"]), { name, webkitRelativePath });
}

test("takes the files of a folder by their paths within it, and its name", () => {
  const { files, name } = chosenFiles([file("a", "proving keys/a"), file("b", "proving keys/below/b")]);
  expect(files.map(({ path }) => path)).toEqual(["a", "below/b"]);
  expect(name).toBe("proving-keys");
});

test.each([
  ["srs.ptau", "srs.ptau"],
  ["..hidden", "hidden"],
  ["键", "data"],
])("names a volume of the file %s %s", (given, name) => {
  expect(chosenFiles([file(given)])).toMatchObject({ name, files: [{ path: given }] });
});
