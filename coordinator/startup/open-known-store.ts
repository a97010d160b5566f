/** Opens the store, if it is the one that this coordinator knew or an operator accepts it, and watches that it stays so. */
import { dirname, join } from "node:path";
import type { Clock, Instant } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { Config } from "../config/config.ts";
import { SETTINGS } from "../config/settings.ts";
import { admitStore } from "../store/identity/admit-store.ts";
import { readIdentity } from "../store/identity/identity-file.ts";
import { metaOf, refuseOutgrown } from "../store/identity/meta.ts";
import { rememberStore } from "../store/identity/remember-store.ts";
import type { StoreIdentity } from "../store/identity/store-identity.ts";
import { META_KEY } from "../store/keys.ts";
import type { Kv } from "../store/kv.ts";
import { openStore } from "../store/open/open-store.ts";
import { refuseRestoring } from "../store/refuse-restoring.ts";
import type { Store } from "../store/store.ts";
import { part } from "./shared-parts.ts";

export interface KnownStoreOptions {
  readonly config: Pick<Config, "storeIdentityFile" | "secretsKeyFile" | "acceptStore">;
  readonly kv: Kv;
  /** That of the connection under `kv`. */
  readonly identity: StoreIdentity;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Opened {
  readonly store: Store;
  /** When an operator last accepted a state of etcd that was put back; null for never. */
  readonly acceptedAt: Instant | null;
}

/** `starting` closes what was opened. Rejects with StoreChangedError where it is another store. */
export async function openKnownStore(options: KnownStoreOptions, starting: AsyncDisposableStack): Promise<Opened> {
  const { config, kv, identity, clock } = options;
  const log = part(options.log, "store");
  const file = config.storeIdentityFile ?? join(dirname(config.secretsKeyFile), "store-identity.json");
  const known = await readIdentity(file);
  // Before it is compared: an incomplete store is another one, too.
  await refuseRestoring(kv);
  const [found] = (await kv.read([META_KEY])).entries;
  const before = metaOf(found);
  // Before anything is written to it.
  if (before !== null) refuseOutgrown(before);
  const accepted = await admitStore({ kv, identity, known, acceptAs: config.acceptStore, clock });
  identity.onChanged(({ message }) => log.error(`${message}. Until then it serves and writes nothing`));
  const store = await openStore({ kv, clock, log });
  starting.defer(() => store.close());
  identity.belongsTo(store);
  if (accepted !== null) {
    const { epoch } = store;
    log.warn(
      { change: accepted, known, epoch },
      "continues with another state of etcd than before, which was accepted",
    );
  }
  const remembering = await rememberStore({ file, identity, log }).catch((cause: Error) => {
    const { env, flag } = SETTINGS.storeIdentityFile;
    throw new Error(`${env} (${flag}): what is known of the store cannot be written: ${cause.message}`, { cause });
  });
  starting.defer(() => remembering.stop());
  const [meta] = (await kv.read([META_KEY])).entries;
  return { store, acceptedAt: metaOf(meta)?.acceptedAt ?? null };
}
