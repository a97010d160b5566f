/** The authority of the nodes' certificates. The first coordinator writes it, and all take it from here. */
import { AUTHORITY_KEY } from "./keys.ts";
import { type Kv, OutcomeUnknownError } from "./kv.ts";

export interface AuthorityRecord {
  /** DER in base64; public. */
  readonly certificate: string;
  /** Sealed under a key that is not in the store. */
  readonly sealedKey: string;
}

/** Returns the authority of the store: the given one, if it had none. */
export async function claimAuthority(kv: Pick<Kv, "txn" | "read">, claim: AuthorityRecord): Promise<AuthorityRecord> {
  const put = { key: AUTHORITY_KEY, value: Buffer.from(JSON.stringify(claim)) };
  await kv
    .txn({ compares: [{ key: AUTHORITY_KEY, revision: 0 }], puts: [put], deletes: [] })
    .catch((error: unknown) => {
      // Whoever wrote it, and whether or not this was applied: what stands there now is read next.
      if (!(error instanceof OutcomeUnknownError)) throw error;
    });
  const found = await readAuthorityRecord(kv);
  if (found === null) throw new OutcomeUnknownError("the authority of the nodes' certificates was not written");
  return found;
}

/** Null before the first coordinator that has its certificates from it. */
export async function readAuthorityRecord(kv: Pick<Kv, "read">): Promise<AuthorityRecord | null> {
  const { entries } = await kv.read([AUTHORITY_KEY]);
  const entry = entries[0] ?? null;
  if (entry === null) return null;
  const { certificate, sealedKey } = JSON.parse(entry.value.toString("utf8")) as Partial<AuthorityRecord>;
  if (typeof certificate !== "string" || typeof sealedKey !== "string") {
    throw new Error(`${AUTHORITY_KEY} does not hold an authority`);
  }
  return { certificate, sealedKey };
}
