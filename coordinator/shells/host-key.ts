/**
 * The key by which clients know the gateway: made by the first that needs it, sealed in the store, and the same for
 * all coordinators from then on, so that no client ever has to trust another.
 */
import { type PublicKeyText, readPublicKey } from "../auth/authorized-key.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { SSH_HOST_KEY } from "../store/keys.ts";
import { type Entry, type Kv, OutcomeUnknownError } from "../store/kv.ts";
import { isReadable, newKeyPair, publicKeyOf } from "./new-key-pair.ts";

/** Under which it is sealed. */
export const HOST_KEY_CONTEXT = "ssh-host-key";

/** What clients receive beforehand, so that none has to trust the first gateway that responds. */
export async function readPublicHostKey(kv: Kv, secrets: Pick<Secrets, "seal" | "open">): Promise<PublicKeyText> {
  return readPublicKey(publicKeyOf(await readOrCreateHostKey(kv, secrets)));
}

/** In OpenSSH's format. */
export async function readOrCreateHostKey(kv: Kv, secrets: Pick<Secrets, "seal" | "open">): Promise<Buffer> {
  const known = await read(kv);
  if (known !== null) {
    const key = secrets.open(known.value.toString("utf8"), HOST_KEY_CONTEXT);
    // With one that cannot be read no gateway ever ran, so no client knows it.
    if (isReadable(key)) return key;
  }
  const fresh = Buffer.from(newKeyPair().private);
  const value = Buffer.from(secrets.seal(fresh, HOST_KEY_CONTEXT));
  const compares = [{ key: SSH_HOST_KEY, revision: known?.revision ?? 0 }];
  await kv.txn({ compares, puts: [{ key: SSH_HOST_KEY, value }], deletes: [] }).catch((error: unknown) => {
    // Whoever wrote it: what stands there now is read next.
    if (!(error instanceof OutcomeUnknownError)) throw error;
  });
  const written = await read(kv);
  if (written === null) throw new OutcomeUnknownError("the gateway's host key was not written");
  return secrets.open(written.value.toString("utf8"), HOST_KEY_CONTEXT);
}

async function read(kv: Kv): Promise<Entry | null> {
  const { entries } = await kv.read([SSH_HOST_KEY]);
  return entries[0] ?? null;
}
