import fc from "fast-check";
import { expect, test } from "vitest";
import { EventParser, type ServerEvent } from "./parse-events.ts";

function parsed(...pieces: readonly string[]): readonly ServerEvent[] {
  const parser = new EventParser();
  return pieces.flatMap((piece) => parser.push(piece));
}

test("an event has its id, its type and the lines of its data", () => {
  expect(parsed("id: 7\nevent: task.created\ndata: {\ndata:}\n\n")).toEqual([
    { id: "7", type: "task.created", data: "{\n}" },
  ]);
  expect(parsed("data: a\r\n\r\ndata: b\r\r:")).toEqual([
    { id: null, type: "message", data: "a" },
    { id: null, type: "message", data: "b" },
  ]);
});

test("comments, unknown fields and events without data are left out", () => {
  expect(parsed("retry: 1000\n\n: beat\n\nevent: x\n\nid\nunknown: 1\ndata\n\n")).toEqual([
    { id: "", type: "message", data: "" },
  ]);
});

test("an event that is not complete is not returned", () => {
  expect(parsed("data: a\n")).toEqual([]);
});

test("the events of a stream do not depend on where it is cut into pieces", () => {
  const text = "retry: 1\r\n\r\nid: 1\r\nevent: a\r\ndata: é\r\n\r\n: beat\n\nid: 2\rdata: b\rdata: c\r\rdata: d\n\n";
  const whole = parsed(text);
  expect(whole).toHaveLength(3);
  fc.assert(
    fc.property(fc.array(fc.nat({ max: text.length })), (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
      const pieces = places.slice(1).map((end, index) => text.slice(places[index], end));
      expect(parsed(...pieces)).toEqual(whole);
    }),
  );
});

test("an event that never ends is refused", () => {
  const parser = new EventParser();
  expect(() => {
    for (let n = 0; n < 200; n += 1) parser.push(`data: ${"x".repeat(10_000)}\n`);
  }).toThrow("too large");
});
