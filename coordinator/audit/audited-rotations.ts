/**
 * A store of keys whose transactions bring the audit entry of a rotation along, of the master key or of the nodes' authority: their
 * records are no records of `Store`. A restore of an older backup takes such a step back, and has to know of it.
 */
import type { Clock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { type AuditEntry, type AuditFacts, OF_NO_TEAM } from "../domain/audit-entry.ts";
import { rootOf } from "../enrollment/authority-record.ts";
import { parseAuthority } from "../store/authority-claim.ts";
import { encodeRecord } from "../store/codec.ts";
import type { KeyRotation } from "../store/key-rotation.ts";
import { AUTHORITY_KEY, KEY_ROTATION_KEY, recordKey } from "../store/keys.ts";
import type { Kv, Put } from "../store/kv.ts";
import { differing } from "./bounded-facts.ts";
import type { AuditContext } from "./entries-of-commit.ts";

interface Described {
  readonly kind: string;
  readonly id: string;
  readonly facts: AuditFacts;
}

const DESCRIBERS: Readonly<Record<string, (value: Buffer) => Described>> = {
  [AUTHORITY_KEY]: (value) => {
    const { certificate, next, previous } = parseAuthority(value);
    const issuing = digest(certificate);
    const facts = {
      issuing_root: issuing,
      staged_root: next === undefined ? null : digest(next.certificate),
      earlier_root: previous === undefined ? null : digest(previous.certificate),
    };
    return { kind: "authority", id: issuing, facts };
  },
  [KEY_ROTATION_KEY]: (value) => {
    const { from, to, promotedAt, retiredAt } = JSON.parse(value.toString("utf8")) as KeyRotation;
    const facts = { from, to, promoted: promotedAt !== null, retired: retiredAt !== null };
    return { kind: "master_key", id: to, facts };
  },
};

export function auditedRotations(kv: Kv, who: AuditContext, clock: Pick<Clock, "now">): Kv {
  const entryOf = async ({ key, value }: Put): Promise<readonly Put[]> => {
    const describe = DESCRIBERS[key];
    if (describe === undefined) return [];
    const [found] = (await kv.read([key])).entries;
    const { kind, id, facts } = describe(value);
    // What is only sealed again stays the same.
    const change = differing(found ? describe(found.value).facts : {}, facts);
    return change === null ? [] : [putOf({ kind, id }, found ? change : { before: null, after: facts })];
  };
  const putOf = (
    object: { readonly kind: string; readonly id: string },
    facts: Pick<AuditEntry, "before" | "after">,
  ) => {
    const at = clock.now();
    const entry: AuditEntry = {
      id: newId(at),
      at,
      ...who,
      teamId: OF_NO_TEAM,
      object: { ...object, name: null },
      also: [],
      ...facts,
    };
    const key = recordKey("audit-entries", entry.id);
    return { key, value: encodeRecord(key, `rotation.${entry.id}`, entry) };
  };
  return {
    read: (keys, at) => kv.read(keys, at),
    range: (prefix, page) => kv.range(prefix, page),
    // Each compares the revision that it read, so nothing else has been written between.
    txn: async (txn) => {
      const entries = await Promise.all(txn.puts.map(entryOf));
      return await kv.txn({ ...txn, puts: [...txn.puts, ...entries.flat()] });
    },
    watch: (prefix, fromRevision, listener, signal) => kv.watch(prefix, fromRevision, listener, signal),
    lease: (ttlMs) => kv.lease(ttlMs),
    close: () => kv.close(),
  };
}

function digest(certificate: string): string {
  return rootOf(certificate).sha256;
}
