/**
 * The key by which clients know the gateway: made by the first that needs it, sealed in the store, and the same for
 * all coordinators from then on, so that no client is ever asked to trust another.
 */
import ssh2 from "ssh2";
import type { Secrets } from "../secrets/secrets.ts";
import { SSH_HOST_KEY } from "../store/keys.ts";
import { type Kv, OutcomeUnknownError } from "../store/kv.ts";

const CONTEXT = "ssh-host-key";

/** In OpenSSH's format. */
export async function readOrCreateHostKey(kv: Kv, secrets: Pick<Secrets, "seal" | "open">): Promise<Buffer> {
  const known = await read(kv);
  if (known !== null) return secrets.open(known, CONTEXT);
  const fresh = Buffer.from(ssh2.utils.generateKeyPairSync("ed25519").private);
  const value = Buffer.from(secrets.seal(fresh, CONTEXT));
  const compares = [{ key: SSH_HOST_KEY, revision: 0 }];
  await kv.txn({ compares, puts: [{ key: SSH_HOST_KEY, value }], deletes: [] }).catch((error: unknown) => {
    // Whoever wrote it: what stands there now is read next.
    if (!(error instanceof OutcomeUnknownError)) throw error;
  });
  const written = await read(kv);
  if (written === null) throw new OutcomeUnknownError("the gateway's host key was not written");
  return secrets.open(written, CONTEXT);
}

async function read(kv: Kv): Promise<string | null> {
  const { entries } = await kv.read([SSH_HOST_KEY]);
  return entries[0]?.value.toString("utf8") ?? null;
}
