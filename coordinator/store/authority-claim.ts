/** The authority of the nodes' certificates. The first coordinator writes it, and all take it from here. */
import type { Instant } from "@elastic/std/clock.ts";
import { createOnce } from "./create-once.ts";
import { AUTHORITY_KEY } from "./keys.ts";
import type { Kv } from "./kv.ts";

export interface RootRecord {
  /** DER in base64; public. */
  readonly certificate: string;
  /** Sealed under a key that is not in the store. */
  readonly sealedKey: string;
}

/** The root that issues. During a rotation, one of the others is next to it. */
export interface AuthorityRecord extends RootRecord {
  /** Trusted, and issues from the promotion on. `crossCertificate`: its name and key, certified by the root that issues. */
  readonly next?: RootRecord & { readonly crossCertificate: string; readonly stagedAt: Instant };
  /** Issued until the promotion, and is trusted until it is retired. `crossCertificate` is of the root that issues now. */
  readonly previous?: {
    readonly certificate: string;
    readonly crossCertificate: string;
    readonly promotedAt: Instant;
  };
}

export interface ReadAuthority {
  readonly record: AuthorityRecord;
  readonly revision: number;
}

/** Returns the authority of the store: the given one, if it had none. */
export async function claimAuthority(kv: Pick<Kv, "txn" | "read">, claim: AuthorityRecord): Promise<AuthorityRecord> {
  return parseAuthority(await createOnce(kv, AUTHORITY_KEY, encode(claim)));
}

/** Null before the first coordinator that has its certificates from it. */
export async function readAuthorityRecord(kv: Pick<Kv, "read">): Promise<AuthorityRecord | null> {
  return (await readAuthority(kv))?.record ?? null;
}

export async function readAuthority(kv: Pick<Kv, "read">): Promise<ReadAuthority | null> {
  const [entry] = (await kv.read([AUTHORITY_KEY])).entries;
  return entry == null ? null : { record: parseAuthority(entry.value), revision: entry.revision };
}

/** Throws where another command wrote it since it was read. */
export async function replaceAuthority(
  kv: Pick<Kv, "txn">,
  { revision }: ReadAuthority,
  record: AuthorityRecord,
): Promise<void> {
  const puts = [{ key: AUTHORITY_KEY, value: encode(record) }];
  const { applied } = await kv.txn({ compares: [{ key: AUTHORITY_KEY, revision }], puts, deletes: [] });
  if (!applied) throw new Error("another command changed the authority at the same time: nothing was changed here");
}

function encode(record: AuthorityRecord): Buffer {
  return Buffer.from(JSON.stringify(record));
}

export function parseAuthority(bytes: Buffer): AuthorityRecord {
  const record = JSON.parse(bytes.toString("utf8")) as Partial<AuthorityRecord>;
  const { certificate, sealedKey } = record;
  if (typeof certificate !== "string" || typeof sealedKey !== "string") {
    throw new Error(`${AUTHORITY_KEY} does not hold an authority`);
  }
  return { ...record, certificate, sealedKey };
}
