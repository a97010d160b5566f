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
  expect(namesToRemove(names, STORE, 2)).toEqual([own[3], own[1]]);
  expect(namesToRemove(names, STORE, 4)).toEqual([]);
  expect(namesToRemove(names, STORE, 9)).toEqual([]);
});

test("takes the later revision of a second for the newer one", () => {
  const [older, newer] = [9, 10].map((revision) => backupName(aHeader({ revision })));
  expect(namesToRemove([newer ?? "", older ?? ""], STORE, 1)).toEqual([older]);
});
