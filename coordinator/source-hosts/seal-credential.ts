/** Credentials of single repositories, sealed. They are opened only for a request to their host. */
import type { Instant } from "@elastic/std/clock.ts";
import { credentialId, type SourceCredential } from "../domain/source-credential.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { RepositoryCredential } from "./source-host.ts";

export function sealCredential(
  secrets: Pick<Secrets, "seal">,
  { secret, expiresAt }: RepositoryCredential,
  of: Pick<SourceCredential, "connectionId" | "repositoryId" | "host">,
  now: Instant,
): SourceCredential {
  const id = credentialId(of.connectionId, of.repositoryId);
  const sealed = secrets.seal(Buffer.from(secret), credentialContext(id));
  return { id, ...of, sealed, createdAt: now, expiresAt, renewingSince: null };
}

export function openCredential(
  secrets: Pick<Secrets, "open">,
  { id, sealed }: Pick<SourceCredential, "id" | "sealed">,
): string {
  return secrets.open(sealed, credentialContext(id)).toString();
}

export function credentialContext(id: string): string {
  return `source-credential/${id}`;
}
