/**
 * A link to an account at a source host, on its way there and back. As of logins, all of it is in a sealed cookie of the
 * browser that started it (login/login-transaction.ts).
 */
import type { Instant } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { generateRandomCodeVerifier, generateRandomState } from "oauth4webapi";
import { z } from "zod";
import type { Secrets } from "../secrets/secrets.ts";

const SEALED_AS = "source-link";

const schema = z.strictObject({
  id: z.string(),
  host: z.string(),
  /** Comes back in the callback's address, and says that the same browser started it. */
  state: z.string(),
  verifier: z.string(),
  startedAt: z.number(),
  returnTo: z.string(),
  /** Who started it, and for which team. */
  callerId: z.string(),
  userId: z.string(),
  teamId: z.string(),
  /** The connection that is renewed, whose installation is known; null where one is chosen at the host. */
  connection: z.strictObject({ id: z.string(), installationId: z.string() }).nullable(),
});

export type LinkTransaction = Readonly<z.output<typeof schema>>;
export type LinkPurpose = Pick<LinkTransaction, "host" | "returnTo" | "callerId" | "userId" | "teamId" | "connection">;

export function beginLink(purpose: LinkPurpose, now: Instant): LinkTransaction {
  return {
    id: newId(now),
    state: generateRandomState(),
    verifier: generateRandomCodeVerifier(),
    startedAt: now,
    ...purpose,
  };
}

export function sealLink(secrets: Pick<Secrets, "seal">, link: LinkTransaction): string {
  return secrets.seal(Buffer.from(JSON.stringify(link)), SEALED_AS);
}

/** Null for what this service did not seal, or sealed in another form. */
export function openLink(secrets: Pick<Secrets, "open">, sealed: string): LinkTransaction | null {
  try {
    return schema.parse(JSON.parse(secrets.open(sealed, SEALED_AS).toString()));
  } catch {
    return null;
  }
}
