import { expect, test } from "vitest";
import { printableStream } from "./printable-stream.ts";

test("characters and escape sequences that are cut on their way are printed or removed completely", () => {
  const hostile = "eins 証明\n\u001b[31mred\u001b[0m\u001b]0;title\u0007\r\nzwei";
  const bytes = Buffer.from(hostile);
  for (let size = 1; size <= bytes.length; size += 1) {
    const stream = printableStream();
    let text = "";
    for (let at = 0; at < bytes.length; at += size) text += stream.take(bytes.subarray(at, at + size));
    expect(text + stream.end()).toBe("eins 証明\nred\nzwei");
  }
});

test("lines are printed as they end, and the rest at the end", () => {
  const stream = printableStream();
  expect(stream.take(Buffer.from("one\ntw"))).toBe("one\n");
  expect(stream.take(Buffer.from("o"))).toBe("");
  expect(stream.take(Buffer.from("\n"))).toBe("two\n");
  expect([stream.take(Buffer.from("three")), stream.end(), stream.end()]).toEqual(["", "three", ""]);
});

test("a line without an end is not buffered without limit", () => {
  const stream = printableStream();
  let printed = 0;
  for (let index = 0; index < 100; index += 1) printed += stream.take(Buffer.alloc(10_000, "x")).length;
  expect(printed).toBeGreaterThan(900_000);
});
