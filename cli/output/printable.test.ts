import { describe, expect, test } from "vitest";
import { printable, printableJson, printableLine } from "./printable.ts";

describe("printable text", () => {
  test("loses escape sequences, control characters and reordering marks", () => {
    const hostile = "a\u001b[31mred\u001b[0m\u001b]0;title\u0007b\u0000\u0008\u009b31mc\u202etxt\u2066d\re";
    expect(printable(hostile)).toBe("aredbctxtde");
  });

  test("keeps newlines, tabs and every other script", () => {
    expect(printable("eins\n\tzwei ✓ 証明 🙂")).toBe("eins\n\tzwei ✓ 証明 🙂");
  });

  test("can be put on one line", () => {
    expect(printableLine("one\r\n  two\tthree\n")).toBe("one two three");
  });

  test("is put on one line in a time linear in its length", () => {
    const spaces = " ".repeat(1_000_000);
    expect(printableLine(`a${spaces}b\n${spaces}c`)).toBe(`a${spaces}b c`);
  });
});

test("printable JSON parses to the same value and holds no control character", () => {
  const value = { text: "\u001b[2J\u009b1m\u202e\u0000é🙂", list: [1, null] };
  const json = printableJson(value);
  expect(JSON.parse(json)).toEqual(value);
  expect(printable(json)).toBe(json);
});
