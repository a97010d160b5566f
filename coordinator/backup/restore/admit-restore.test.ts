import { expect, test } from "vitest";
import { aHeader } from "../testing/backups.ts";
import { type AdmitRestore, admitRestore, epochDoubt, type FoundTarget } from "./admit-restore.ts";
import type { RestoreMark } from "./restore-mark.ts";

const OTHER = "0".repeat(31).concat("c");
const { storeId } = aHeader();

const EMPTY: FoundTarget = {
  revision: 1,
  meta: null,
  isEmpty: true,
  coordinators: [],
  hasLeader: false,
  mark: null,
};
const MARK: RestoreMark = { digest: "one", name: "one.backup.age", storeId, epoch: 2, startedAt: 0 };

function asked(found: Partial<FoundTarget> = {}, given: Partial<AdmitRestore> = {}): AdmitRestore {
  return {
    header: aHeader(),
    digest: "one",
    found: { ...EMPTY, ...found },
    known: null,
    archivedEpoch: 0,
    aboveEpoch: 0,
    restarts: false,
    masterKeys: ["0a1b2c3d"],
    withoutMasterKeys: false,
    blobsOf: storeId,
    ...given,
  };
}

const meta = (epoch: number, blobStoreId = storeId) => ({ epoch, blobStoreId, schemaVersion: 1 });
const older = (epoch: number, revision: number) => ({ meta: meta(epoch), isEmpty: false, revision });

test.each<[what: string, AdmitRestore, epoch: number]>([
  ["an empty etcd", asked(), 2],
  ["an empty etcd, whatever its revision", asked({ revision: 900 }), 2],
  ["an older copy of the store", asked(older(1, 60)), 2],
  ["the same state of the store", asked(older(1, 100)), 2],
  ["a copy of an earlier epoch", asked(older(1, 900), { header: aHeader({ epoch: 3 }) }), 4],
  [
    "one whose coordinators knew a later epoch",
    asked({}, { known: { clusterId: "7", revision: 5, epoch: 4, blobStoreId: storeId } }),
    5,
  ],
  [
    "one of which this machine knew another store",
    asked({}, { known: { clusterId: "7", revision: 5, epoch: 4, blobStoreId: OTHER } }),
    2,
  ],
  ["a restore of the same file that did not end", asked({ mark: MARK, isEmpty: false }), 2],
  [
    "a restore of another file, with --restart",
    asked({ mark: MARK, isEmpty: false }, { digest: "two", restarts: true }),
    2,
  ],
  ["a store that was restored before, by the archive", asked({}, { archivedEpoch: 3 }), 4],
  ["a store that had an epoch, by the operator", asked({}, { archivedEpoch: null, aboveEpoch: 6 }), 7],
  ["lost master keys, as requested", asked({}, { masterKeys: [], withoutMasterKeys: true }), 2],
  ["blobs that no coordinator has used", asked({}, { blobsOf: null }), 2],
])("admits %s, and raises the epoch above every known one", (_what, given, epoch) => {
  expect(admitRestore(given)).toBe(epoch);
});

test.each<[what: string, AdmitRestore, RegExp]>([
  [
    "coordinators that run",
    asked({ coordinators: ["10.0.0.1:8443"] }),
    /coordinators run.*10\.0\.0\.1:8443.*Stop all of them/,
  ],
  ["a leader", asked({ hasLeader: true }), /coordinators run.*Stop all of them/],
  [
    "another store",
    asked({ meta: meta(1, OTHER), isEmpty: false }),
    /holds store .*c, and the backup is of .*check ELASTIC_ETCD/,
  ],
  ["keys of an unknown kind", asked({ isEmpty: false }), /no identity of a store: check ELASTIC_ETCD/],
  ["a newer epoch", asked(older(2, 10)), /newer state of the store \(epoch 2/],
  [
    "a newer revision",
    asked(older(1, 101)),
    /newer state .*revision 101.*start the coordinators with it; or.*etcdctl del/,
  ],
  [
    "a restore of another file that did not end",
    asked({ mark: MARK }, { digest: "two" }),
    /from one\.backup\.age did not end: repeat it, or add --restart/,
  ],
  [
    "a restore of another store that did not end",
    asked({ mark: { ...MARK, storeId: OTHER } }, { digest: "two", restarts: true }),
    /restore of another store.*did not end/,
  ],
  [
    "missing master keys",
    asked({}, { masterKeys: ["ffffffff"] }),
    /master keys 0a1b2c3d.*ELASTIC_SECRETS_KEY_FILE.*--without-master-keys/,
  ],
  ["blobs of another store", asked({}, { blobsOf: OTHER }), /the blobs are of store .*correct ELASTIC_BLOBS/],
])("rejects %s with what to do", (_what, given, message) => {
  expect(() => admitRestore(given)).toThrow(message);
  expect(() => admitRestore(given)).toThrow(/^nothing was changed: /);
});

test("says what to do where nothing but the backup has an epoch of the store", () => {
  const known = { clusterId: "7", revision: 5, epoch: 4, blobStoreId: storeId };
  expect(epochDoubt(asked({}, { archivedEpoch: null }))).toMatch(/after epoch 1 before.*--above-epoch .*restart all/);
  expect(epochDoubt(asked({}, { archivedEpoch: null, known: { ...known, blobStoreId: OTHER } }))).not.toBeNull();
  expect(epochDoubt(asked({}, { archivedEpoch: null, known }))).toBeNull();
  expect(epochDoubt(asked({}, { archivedEpoch: null, aboveEpoch: 1 }))).toBeNull();
  expect(epochDoubt(asked({}, { archivedEpoch: 0 }))).toBeNull();
});
