/**
 * What operators' commands make of an empty store, made in this process: nearly every test needs it, and a command
 * takes a quarter of a second of CPU to start. The commands themselves are tested in coordinator/main.component.test.ts.
 */
import { bootstrapStore } from "@elastic/coordinator/accounts/bootstrap.ts";
import { authorityBundle, registryAuthorities } from "@elastic/coordinator/registry/authority.ts";
import { openSecrets } from "@elastic/coordinator/secrets/secrets.ts";
import { connectEtcd, type EtcdOptions } from "@elastic/coordinator/store/etcd/etcd-kv.ts";
import { openStore } from "@elastic/coordinator/store/open/open-store.ts";
import { type FirstKey, tokenServiceOf } from "@elastic/deploy/local/coordinator.ts";
import type { TokenService } from "@elastic/deploy/local/registry.ts";
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";

/** The first user, team and access key of the store in this etcd. */
export async function makeFirstKey(
  etcd: Pick<EtcdOptions, "endpoints" | "access">,
  names: { readonly user: string; readonly team: string },
) {
  const log = createLog({ name: "test", level: "silent" });
  const kv = connectEtcd({ ...etcd, log });
  try {
    const store = await openStore({ kv, clock: systemClock, log });
    const made = await bootstrapStore(store, { ...names, key: "first key" }, systemClock);
    await store.close();
    if (made === null) throw new Error("this store has its first user already");
    return { key: made.key, teamId: made.teamId, teamName: names.team } satisfies FirstKey;
  } finally {
    await kv.close();
  }
}

/** The registry's settings for coordinators with this key file. */
export function tokenServiceFor(keyFile: string, url: string): TokenService {
  return tokenServiceOf(url, authorityBundle(registryAuthorities(openSecrets({ keyFile }))));
}
