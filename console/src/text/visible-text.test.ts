import fc from "fast-check";
import { expect, test } from "vitest";
import { visibleLine, visibleText } from "./visible-text.ts";

test("removes colours, titles and other sequences of terminals", () => {
  const escaped =
    "\u001b[31;1mred\u001b[0m \u001b]0;title\u0007a\u001b]8;;http://x\u001b\\link \u001bPq1\u001b\\b\u001b(Bc";
  expect(visibleText(escaped)).toBe("red alink bc");
});

test("writes as escapes what is not seen or reorders other text", () => {
  expect(visibleText("user\u202etxt.exe\u2066 \u0000\u007f\u200b")).toBe(
    "user\\u{202e}txt.exe\\u{2066} \\u{0}\\u{7f}\\u{200b}",
  );
});

test("keeps lines, tabs, markup and all other text", () => {
  expect(visibleText("<b>é</b>\t\r\n漢\rעברית")).toBe("<b>é</b>\t\n漢\nעברית");
});

test("puts lines on one line, in a time linear in their length", () => {
  expect(visibleLine(" one \n\n two\n")).toBe("one two");
  const spaces = " ".repeat(1_000_000);
  expect(visibleLine(`a${spaces}b\n${spaces}c`)).toBe(`a${spaces}b c`);
});

test("leaves nothing that a page would act upon, whatever the text", () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for.
  const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      expect(visibleText(text)).not.toMatch(unseen);
    }),
  );
  fc.assert(
    fc.property(fc.array(fc.constantFrom("\u001b", "[", "]", "P", "\\", "\u0007", "m", "\n", "x")), (pieces) => {
      expect(visibleText(pieces.join(""))).not.toMatch(unseen);
    }),
  );
});
