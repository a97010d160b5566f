import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newId } from "@elastic/std/ids.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { attemptKey } from "../domain/attempt-key.ts";
import { openEndedJournal } from "./ended-journal.ts";

const log = { warn: () => undefined };
let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "journal-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

const file = () => join(dir, "ended-attempts");
const ref = (storeEpoch: bigint, revision = 1n) => ({ taskId: newId(1), number: 1, token: { storeEpoch, revision } });

test("names attempts of earlier store epochs, over restarts, until a coordinator has noted them", async () => {
  const first = await openEndedJournal(file(), log);
  const [one, two] = [ref(1n), ref(2n)];
  first.add(one);
  first.add(two);
  first.add(one);
  expect([first.before(1n), first.before(2n), first.before(3n)]).toEqual([[], [one], [one, two]]);
  await first.stop();
  const second = await openEndedJournal(file(), log);
  expect(second.before(3n)).toEqual([one, two]);
  second.drop([one]);
  await second.stop();
  expect((await openEndedJournal(file(), log)).before(3n)).toEqual([two]);
});

test("keeps the newest only, in memory and in its file", async () => {
  const journal = await openEndedJournal(file(), log, 3);
  const refs = Array.from({ length: 20 }, () => ref(1n));
  for (const one of refs) journal.add(one);
  expect(journal.before(2n)).toEqual(refs.slice(-3));
  await journal.stop();
  expect(readFileSync(file(), "utf8").trimEnd().split("\n")).toEqual(refs.slice(-3).map(attemptKey));
  expect((await openEndedJournal(file(), log, 3)).before(2n)).toEqual(refs.slice(-3));
});

test("passes over lines that are damaged", async () => {
  const one = ref(1n);
  writeFileSync(file(), `${attemptKey(one)}\n${"f".repeat(20)}\n`);
  expect((await openEndedJournal(file(), log)).before(2n)).toEqual([one]);
});
