/** Who may be in a shell, and for how long: by its password, by a key of a member of its team, or by a ticket. */
import type { Instant } from "@elastic/std/clock.ts";

/** A public key with which a user logs into the shells of all teams that the user is in. */
export interface AuthorizedKey {
  readonly id: string;
  readonly name: string;
  /** Such as `ssh-ed25519`. */
  readonly type: string;
  /** The key itself, in base64. */
  readonly blob: string;
  /** `SHA256:…`, as ssh-keygen prints it. */
  readonly fingerprint: string;
  readonly createdAt: Instant;
}

export type ShellLogin =
  /** `passwordId` changes when the password does. */
  | { readonly by: "password"; readonly passwordId: string }
  | { readonly by: "key"; readonly userId: string; readonly keyId: string }
  /** `keyId` is that of the access key or session that the ticket was given to. */
  | { readonly by: "ticket"; readonly userId: string; readonly keyId: string };

/** What is known now of the members of a shell's team. */
export interface MayEnter {
  /** Whether the user is in the team and has the authorized key. */
  hasKey(userId: string, keyId: string): boolean;
  /** Whether the access key or session is valid, and opens shells of the team. */
  mayConnect(keyId: string): boolean;
}

/** Who came in stays in while the same would let them in again. `shell` is null for one that is gone. */
export function stillAdmits(shell: { readonly passwordId: string } | null, login: ShellLogin, may: MayEnter): boolean {
  if (shell === null) return false;
  switch (login.by) {
    case "password":
      return login.passwordId === shell.passwordId;
    case "key":
      return may.hasKey(login.userId, login.keyId);
    case "ticket":
      return may.mayConnect(login.keyId);
  }
}

/** When and why the shell stops if nobody acts. */
export interface ComingEnd {
  readonly at: Instant;
  readonly cause: "expired" | "idle";
}

/** The notice about the end that a session gets at `now`; null where it got it before (`noticed`), or nothing is near. */
export function notice(
  end: ComingEnd | null,
  noticed: ComingEnd | null,
  { now, warningMs }: { readonly now: Instant; readonly warningMs: number },
): string | null {
  if (end === null || end.at - now > warningMs) return null;
  if (noticed?.cause === end.cause && noticed.at === end.at) return null;
  const minutes = Math.max(1, Math.ceil((end.at - now) / 60_000));
  const within = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return end.cause === "idle"
    ? `nobody uses this shell: it stops within ${within} unless something is typed. Its home stays.`
    : `this shell's run ends within ${within}. Its home stays: it can be started again.`;
}
