import { expect, test } from "vitest";
import { backupName } from "../file/backup-name.ts";
import { aHeader } from "../testing/backups.ts";
import { refuseOlder } from "./refuse-older.ts";

const STORE = aHeader().storeId;
const NAMES = [
  backupName(aHeader({ epoch: 2, revision: 50 })),
  backupName(aHeader({ epoch: 1, revision: 900 })),
  "notes.txt",
];

function refuse(epoch: number, revision: number, storeId = STORE) {
  return () => refuseOlder({ storeId, epoch, revision }, NAMES, "/backups");
}

test("refuses a state that is older than a backup of the same store, and names it", () => {
  expect(refuse(2, 49)).toThrow(/no backup was written.*epoch 2, revision 49.*-2-50\.backup\.age in \/backups/);
  expect(refuse(1, 901)).toThrow(/-2-50\.backup\.age/);
});

test("accepts the same state, a later one, a later epoch, and another store", () => {
  for (const [epoch, revision] of [
    [2, 50],
    [2, 51],
    [3, 1],
  ] as const) {
    expect(refuse(epoch, revision)).not.toThrow();
  }
  expect(refuse(1, 1, "c".repeat(32))).not.toThrow();
});
