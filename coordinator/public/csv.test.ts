import { expect, test } from "vitest";
import { csvLine } from "./csv.ts";

test("quotes what would end a cell or a line, and nothing else", () => {
  expect(csvLine(["a", 1, null, "b c", 'say "no"', "x,y", "two\nlines"])).toBe(
    'a,1,,b c,"say ""no""","x,y","two\nlines"\r\n',
  );
});

test("writes a text that looks like a formula as text, and a negative number as a number", () => {
  const formulas = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", '=HYPERLINK("http://x","y")'];
  for (const formula of formulas) {
    const line = csvLine([formula, "end"]);
    expect([formula, /^"?'/.test(line)]).toEqual([formula, true]);
  }
  expect(csvLine([-1])).toBe("-1\r\n");
  expect(csvLine(["a=1", "a - b", "3;4"])).toBe('a=1,a - b,"3;4"\r\n');
});

test("writes as text what looks like a formula in full-width form, after spaces or after another separator", () => {
  expect(csvLine(["\uff1d1", "  =1", "a;=1", "a\t@SUM(A1)\r\n+1"])).toBe(
    `'\uff1d1,'  =1,"a;'=1","a\t'@SUM(A1)\r\n'+1"\r\n`,
  );
});
