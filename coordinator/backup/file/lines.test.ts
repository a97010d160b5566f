import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { aHeader } from "../testing/backups.ts";
import { type BackupItem, readLines, writeLines } from "./lines.ts";

async function text(): Promise<string> {
  const page = { entries: [{ key: "k", value: Buffer.from("v") }], blobs: [{ teamId: "t", sha256: "s", bytes: null }] };
  async function* pages() {
    yield page;
  }
  return (await buffer(Readable.from(writeLines(aHeader(), pages(), () => undefined)))).toString();
}

async function read(...chunks: readonly string[]) {
  const items: BackupItem[] = [];
  for await (const item of readLines(Readable.from(chunks.map((chunk) => Buffer.from(chunk))))) items.push(item);
  return items;
}

test("reads lines whatever chunks they come in", async () => {
  const whole = await text();
  const expected = await read(whole);
  expect(await read(...whole)).toEqual(expected);
  expect(await read(whole.slice(0, 100), whole.slice(100))).toEqual(expected);
});

test.each([
  ["without its end", (lines: string[]) => lines.slice(0, -1)],
  ["without an entry", (lines: string[]) => lines.filter((line) => !line.includes('"k"'))],
  ["with an entry twice", (lines: string[]) => lines.flatMap((line) => (line.includes('"k"') ? [line, line] : [line]))],
  ["with another value", (lines: string[]) => lines.map((line) => line.replace('"t":"v"', '"t":"w"'))],
  ["with more after its end", (lines: string[]) => [...lines, lines.at(-1) ?? ""]],
  ["with a line that is none", (lines: string[]) => ["{", ...lines]],
  ["with an unknown line", (lines: string[]) => [lines[0] ?? "", '{"x":1}', ...lines.slice(1)]],
  ["of nothing", () => []],
])("rejects lines %s", async (_how, change) => {
  const lines = (await text()).trimEnd().split("\n");
  const changed = change(lines).map((line) => `${line}\n`);
  await expect(read(...changed)).rejects.toThrow(/damaged|no backup/);
});
