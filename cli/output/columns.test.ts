import { expect, test } from "vitest";
import { columns } from "./columns.ts";

test("columns stand under each other, and nothing in them moves the cursor", () => {
  const rows = [
    ["ada", null],
    ["a\u001b[31mlonger\nname", "x"],
  ];
  expect(columns(["NAME", "ROLE"], rows)).toBe(["NAME          ROLE", "ada           -", "alonger name  x"].join("\n"));
});
