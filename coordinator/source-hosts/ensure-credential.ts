/** Creates what opens a repository of a connection, where the host needs it and there is none. */
import type { Clock } from "@elastic/std/clock.ts";
import { credentialId } from "../domain/source-credential.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { create } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import { sealCredential } from "./seal-credential.ts";
import type { SourceHost, UserToken } from "./source-host.ts";
import { SourceHostError } from "./source-host-error.ts";

export interface EnsureOptions {
  readonly store: Pick<Store, "get" | "commit">;
  readonly secrets: Pick<Secrets, "seal">;
  readonly clock: Pick<Clock, "now">;
  readonly publicUrl: () => string;
}

/** `token` is that of the user who linked the connection; null where it is not stored any more. */
export async function ensureCredential(
  { store, secrets, clock, publicUrl }: EnsureOptions,
  { name: host, grants }: Pick<SourceHost, "name" | "grants">,
  of: { readonly connectionId: string; readonly repositoryId: string },
  token: UserToken | null,
): Promise<void> {
  const { connectionId, repositoryId } = of;
  if (grants === null) return;
  if ((await store.get("source-credentials", credentialId(connectionId, repositoryId))) !== null) return;
  if (token === null) throw new SourceHostError("authorization_needed");
  const made = await grants.create(token, repositoryId, sourceWebhookUrl(publicUrl(), host));
  const record = sealCredential(secrets, made, { connectionId, repositoryId, host }, clock.now());
  // Another request has created one at the same time: nobody will use this one.
  if ((await store.commit([create("source-credentials", record)])).kind === "conflict")
    await grants.revoke(made.secret);
}

function sourceWebhookUrl(publicUrl: string, name: string): string {
  return `${publicUrl}/v1/source-hosts/${name}/webhook`;
}
