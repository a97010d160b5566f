import { expect, test } from "vitest";
import { jsonText, slices } from "./json-text.ts";

test("the pieces together are the text as JSON, also where a piece ends within a character", async () => {
  const text = 'a "quoted" \\ \u0001 é 🎉 '.repeat(100);
  let written = "";
  for await (const piece of jsonText(slices(Buffer.from(text), 7))) written += piece;
  expect(JSON.parse(written)).toBe(text);
});

test("others have a turn between two pieces, however fast the pieces are taken", async () => {
  const whole = Buffer.alloc(20 * 1024, '"');
  let turns = 0;
  let running = true;
  const tick = () => {
    turns++;
    if (running) setImmediate(tick);
  };
  setImmediate(tick);
  let length = 0;
  for await (const piece of jsonText(slices(whole, 1024))) length += piece.length;
  running = false;
  expect(length).toBe(2 * whole.length + 2);
  expect(turns).toBeGreaterThanOrEqual(20);
});
