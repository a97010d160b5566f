import { expect, test } from "vitest";
import { chooseShell } from "./find-shell.ts";

const LAB = { shell_id: "0a", shell_name: "lab" };
const SECOND_LAB = { shell_id: "0b", shell_name: "lab" };
const NAMED_AS_AN_ID = { shell_id: "0c", shell_name: "0a" };

test("a shell is found by its name, and by its id before any that is called like it", () => {
  expect(chooseShell([NAMED_AS_AN_ID, LAB], "lab")).toBe(LAB);
  expect(chooseShell([NAMED_AS_AN_ID, LAB], "0a")).toBe(LAB);
});

test("a shell is found by the beginning of its id, and the newest as latest", () => {
  const long = { shell_id: "0193a0b0c0d0e0f00193a0b0c0d0e0f0", shell_name: "notebook" };
  expect(chooseShell([long, LAB], "0193a0b0")).toBe(long);
  expect(chooseShell([LAB, long], "latest")).toBe(LAB);
});

test("a name that two shells have is refused with their ids, so that none is deleted by mistake", () => {
  expect(() => chooseShell([SECOND_LAB, LAB], "lab")).toThrow(
    expect.objectContaining({
      message: "2 shells of the team are called lab.",
      next: "Give one's id: 0b, 0a.",
      exitCode: 2,
    }),
  );
  expect(chooseShell([SECOND_LAB, LAB], "0b")).toBe(SECOND_LAB);
});
