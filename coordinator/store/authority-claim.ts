/** The authority of the nodes' certificates. The first coordinator writes it, and all take it from here. */
import { createOnce } from "./create-once.ts";
import { AUTHORITY_KEY } from "./keys.ts";
import type { Kv } from "./kv.ts";

export interface AuthorityRecord {
  /** DER in base64; public. */
  readonly certificate: string;
  /** Sealed under a key that is not in the store. */
  readonly sealedKey: string;
}

/** Returns the authority of the store: the given one, if it had none. */
export async function claimAuthority(kv: Pick<Kv, "txn" | "read">, claim: AuthorityRecord): Promise<AuthorityRecord> {
  return parse(await createOnce(kv, AUTHORITY_KEY, Buffer.from(JSON.stringify(claim))));
}

/** Null before the first coordinator that has its certificates from it. */
export async function readAuthorityRecord(kv: Pick<Kv, "read">): Promise<AuthorityRecord | null> {
  const [entry] = (await kv.read([AUTHORITY_KEY])).entries;
  return entry === null || entry === undefined ? null : parse(entry.value);
}

function parse(bytes: Buffer): AuthorityRecord {
  const { certificate, sealedKey } = JSON.parse(bytes.toString("utf8")) as Partial<AuthorityRecord>;
  if (typeof certificate !== "string" || typeof sealedKey !== "string") {
    throw new Error(`${AUTHORITY_KEY} does not hold an authority`);
  }
  return { certificate, sealedKey };
}
