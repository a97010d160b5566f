import { expect, test } from "vitest";
import { aHeader, TAKEN_AT } from "../testing/backups.ts";
import { backupName, namesToRemove } from "./backup-name.ts";

const STORE = aHeader().storeId;
const OTHER = "0".repeat(31).concat("c");
const DAY_MS = 86_400_000;

test("names the store, the time and the state", () => {
  expect(backupName(aHeader())).toBe(`elastic-${STORE}-20270115T080000Z-1-100.backup.age`);
});

test("removes the oldest of this store alone, and nothing else that is there", () => {
  const own = [3, 1, 2, 0].map((day) => backupName(aHeader({ takenAt: TAKEN_AT + day * DAY_MS, revision: 10 ** day })));
  const others = [backupName(aHeader({ storeId: OTHER, takenAt: 0 + DAY_MS })), "notes.txt", `.${own[0]}.part`];
  const names = [...own, ...others];
  const of = (keep: number) => ({ storeId: STORE, taken: own[0] ?? "", keep });
  expect(namesToRemove(names, of(2))).toEqual([own[3], own[1]]);
  expect(namesToRemove(names, of(4))).toEqual([]);
  expect(namesToRemove(names, of(9))).toEqual([]);
});

test("takes the later state for the newer one, whatever the clock said", () => {
  const [first, second, third] = [
    { epoch: 1, revision: 900, takenAt: TAKEN_AT + 2 * DAY_MS },
    { epoch: 2, revision: 9, takenAt: TAKEN_AT + DAY_MS },
    { epoch: 2, revision: 10, takenAt: TAKEN_AT },
  ].map((state) => backupName(aHeader(state)));
  const names = [first, third, second].map((name) => name ?? "");
  expect(namesToRemove(names, { storeId: STORE, taken: third ?? "", keep: 1 })).toEqual([first, second]);
  expect(namesToRemove(names, { storeId: STORE, taken: third ?? "", keep: 2 })).toEqual([first]);
});

test("never removes the one that was just taken", () => {
  const ahead = [1, 2, 3].map((day) => backupName(aHeader({ epoch: 2, takenAt: TAKEN_AT + day * DAY_MS })));
  const taken = backupName(aHeader());
  expect(namesToRemove([...ahead, taken], { storeId: STORE, taken, keep: 3 })).toEqual([ahead[0]]);
  expect(namesToRemove([...ahead, taken], { storeId: STORE, taken, keep: 1 })).toEqual(ahead);
});
