import { expect, test } from "vitest";
import type { AuditEntry } from "../domain/audit-entry.ts";
import { newRoot, promoted, retired, rootOf, staged } from "../enrollment/authority-record.ts";
import { type AuthorityRecord, claimAuthority, readAuthority, replaceAuthority } from "../store/authority-claim.ts";
import { decodeRecord } from "../store/codec.ts";
import { readKeyRotation, writeKeyRotation } from "../store/key-rotation.ts";
import { recordPrefix } from "../store/keys.ts";
import { Memory } from "../store/memory/memory.ts";
import { memoryKv } from "../store/memory/memory-kv.ts";
import { auditedRotations } from "./audited-rotations.ts";

const NOW = 1_800_000_000_000;
const secrets = {
  seal: (bytes: Buffer) => bytes.toString("base64"),
  open: (sealed: string) => Buffer.from(sealed, "base64"),
};
const credential = { kind: "operator", id: null } as const;

function aStore() {
  const kv = memoryKv(new Memory());
  const who = { action: "rotate", userId: null, credential, address: null, requestId: null, teamId: null };
  let at = NOW;
  const audited = auditedRotations(kv, who, { now: () => at++ });
  const entries = async () => {
    const found = await kv.range(recordPrefix("audit-entries"), { limit: 100 });
    return found.entries.map(({ value }) => decodeRecord(value).value as AuditEntry);
  };
  return { kv, audited, entries };
}

test("records each step of the nodes' authority with its roots, and not what is only sealed again", async () => {
  const { kv, audited, entries } = aStore();
  const first = await claimAuthority(kv, newRoot(secrets, NOW));
  const replace = async (change: (record: AuthorityRecord) => AuthorityRecord) => {
    const read = await readAuthority(kv);
    if (read === null) throw new Error("it was claimed");
    await replaceAuthority(audited, read, change(read.record));
  };
  await replace((record) => staged(record, secrets, NOW));
  const next = (await readAuthority(kv))?.record.next?.certificate ?? "";
  await replace((record) => ({ ...record, sealedKey: `${record.sealedKey}` }));
  await replace((record) => promoted(record, NOW));
  await replace(retired);
  const [from, to] = [rootOf(first.certificate).sha256, rootOf(next).sha256];
  const kind = "authority";
  expect(await entries()).toMatchObject([
    { teamId: "", object: { kind, id: from }, before: { staged_root: null }, after: { staged_root: to } },
    { object: { kind, id: to }, before: { issuing_root: from }, after: { issuing_root: to, earlier_root: from } },
    { object: { kind, id: to }, before: { earlier_root: from }, after: { earlier_root: null } },
  ]);
});

test("records each step of the master key, and none that another command was faster with", async () => {
  const { kv, audited, entries } = aStore();
  const rotation = { from: "old", to: "new", stagedAt: 1, promotedAt: null, retiredAt: null };
  const before = await readKeyRotation(kv);
  await writeKeyRotation(audited, before, rotation);
  await writeKeyRotation(audited, await readKeyRotation(kv), { ...rotation, promotedAt: 2 });
  await expect(writeKeyRotation(audited, before, { ...rotation, retiredAt: 3 })).rejects.toThrow(/another command/);
  const object = { kind: "master_key", id: "new", name: null };
  expect(await entries()).toMatchObject([
    { action: "rotate", object, before: null, after: { from: "old", to: "new", promoted: false, retired: false } },
    { object, before: { promoted: false }, after: { promoted: true } },
  ]);
});
