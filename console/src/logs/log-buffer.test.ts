import fc from "fast-check";
import { expect, test } from "vitest";
import { LOG_LIMITS, LogBuffer, type LogPiece } from "./log-buffer.ts";

const [A, B] = ["a", "b"];

/** Pieces of one attempt's log, cut after so many characters each. */
function pieces(text: string, sizes: readonly number[], taskId = A): LogPiece[] {
  const cut: LogPiece[] = [];
  const characters = [...text];
  let offset = 0;
  for (let at = 0, turn = 0; at < characters.length; turn++) {
    const part = characters.slice(at, at + (sizes[turn % sizes.length] ?? 1)).join("");
    const bytes = new TextEncoder().encode(part).length;
    cut.push({ type: "log", task_id: taskId ?? "", attempt: 1, offset, bytes, text: part });
    at += [...part].length;
    offset += bytes;
  }
  return cut;
}

const textsOf = (buffer: LogBuffer) => buffer.lines().map(({ taskId, text }) => `${taskId}: ${text}`);

test("joins the pieces of each task's lines, however they are cut and mixed, and repeated after a cut", () => {
  const line = fc.string({ unit: "grapheme-composite", maxLength: 8 }).filter((text) => !text.includes("\n"));
  const log = fc.array(line, { maxLength: 6 });
  const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(log, log, sizes, fc.nat({ max: 20 }), (ofA, ofB, cuts, repeatAt) => {
      const sent = [...pieces(`${ofA.join("\n")}\n`, cuts, A), ...pieces(`${ofB.join("\n")}\n`, cuts, B)];
      const mixed = sent.toSorted((left, right) => left.offset - right.offset);
      const again = [...mixed.slice(0, repeatAt), ...mixed];
      const buffer = new LogBuffer();
      for (const piece of again) buffer.add(piece);
      const expected = (lines: readonly string[], id = "") =>
        (lines.length === 0 ? [""] : lines).map((text) => `${id}: ${text}`);
      const seen = textsOf(buffer);
      expect(seen.filter((text) => text.startsWith("a"))).toEqual(expected(ofA, A));
      expect(seen.filter((text) => text.startsWith("b"))).toEqual(expected(ofB, B));
    }),
  );
});

test("takes the new part of a piece that is known in part, and joins nothing over a gap", () => {
  const buffer = new LogBuffer();
  const piece = (offset: number, text: string) =>
    buffer.add({ type: "log", task_id: "a", attempt: 1, offset, bytes: new TextEncoder().encode(text).length, text });
  piece(0, "one €");
  piece(0, "one € two");
  piece(99, "later");
  expect(textsOf(buffer)).toEqual(["a: one € two", "a: later"]);
});

test("keeps the beginning of a line of ten million characters, and counts the rest", () => {
  const buffer = new LogBuffer();
  const text = "x".repeat(64 * 1024);
  for (let n = 0; n < 160; n++) {
    buffer.add({ type: "log", task_id: "a", attempt: 1, offset: n * text.length, bytes: text.length, text });
  }
  const [line, ...others] = buffer.lines();
  expect([others.length, line?.text.length, line?.cut]).toEqual([
    0,
    LOG_LIMITS.lineCharsMax,
    160 * text.length - LOG_LIMITS.lineCharsMax,
  ]);
});

test("forgets the oldest lines when there are too many, or too much is in them", () => {
  const buffer = new LogBuffer({ linesMax: 3, charsMax: 10, lineCharsMax: 100 });
  for (const piece of pieces("1\n2\n3\n4\n", [2])) buffer.add(piece);
  expect(textsOf(buffer)).toEqual(["a: 2", "a: 3", "a: 4"]);
  for (const piece of pieces("0123456789\n", [11], B)) buffer.add(piece);
  expect(textsOf(buffer)).toEqual(["b: 0123456789"]);
});
