import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { type Format, Printer } from "./printer.ts";

function printerOn(columns: number, redraws: boolean, format: Format = "text") {
  let text = "";
  const stderr = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        text += String(chunk);
        done();
      },
    }),
    { columns },
  );
  const printer = new Printer({ stdout: stderr, stderr, color: false, redraws });
  printer.useFormat(format);
  return { printer, text: () => text };
}

test("a block overwrites itself, clears what it no longer has, and stays where something else is said", () => {
  const { printer, text } = printerOn(80, true);
  printer.block(["a", "b"]);
  printer.block(["c"]);
  printer.note("done");
  printer.block(["d"]);
  expect(text()).toBe("\ra\u001b[K\nb\u001b[K\n\u001b[J\u001b[2A\rc\u001b[K\n\u001b[Jdone\n\rd\u001b[K\n\u001b[J");
});

test("its lines are cut where they would wrap, since a wrapped one could not be overwritten", () => {
  const { printer, text } = printerOn(30, true);
  printer.block(["x".repeat(100)]);
  expect(text()).toBe(`\r${"x".repeat(29)}\u001b[K\n\u001b[J`);
});

test("where nothing can be overwritten, and for programs, there is none", () => {
  for (const { printer, text } of [printerOn(80, false), printerOn(80, true, "json")]) {
    printer.block(["a"]);
    expect(text()).toBe("");
  }
});
