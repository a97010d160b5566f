/** What the gateway knows of shells: as little as a login and a session need. */
import type { Instant } from "@elastic/std/clock.ts";
import type { ConnectionTicket } from "../auth/terminal-tickets.ts";
import type { ComingEnd, ShellLogin } from "../domain/shell-login.ts";

export interface LoginShell {
  readonly id: string;
  readonly teamId: string;
  /** In constant time for passwords of one length. */
  passwordMatches(text: string): boolean;
  /** Changes when the password does. */
  readonly passwordId: string;
  /** Null while it is not up. */
  readonly assignmentId: string | null;
  /** For a user who comes while it is not up, such as `STOPPED`. */
  readonly state: string;
  /** Null while it does not run. */
  readonly end: ComingEnd | null;
  /** What its users should know meanwhile; null for nothing. */
  readonly notice: string | null;
}

export type KeyLogin = Extract<ShellLogin, { readonly by: "key" }>;

export interface ShellDirectory {
  /** False once the store is no longer the one that was known: then no shell is found, and sessions stay as they are. */
  isKnown(): boolean;
  /** Null for a shell that does not exist or was deleted. */
  find(shellId: string): LoginShell | null;
  /** Whose key it is, of the members of that team who may use its shells; `blob` is the key itself in base64. */
  keyOf(teamId: string, blob: string): KeyLogin | null;
  /** Whether the user may use that team's shells and has the key. */
  hasKey(teamId: string, userId: string, keyId: string): boolean;
  /** Uses it up; null for what is none, or was used. */
  useTicket(text: string): Promise<ConnectionTicket | null>;
  /** Whether the access key or session is valid, and opens that team's shells. */
  mayConnect(teamId: string, keyId: string): boolean;
  /** Somebody did something in it. */
  used(shellId: string, at: Instant): void;
  /** Called when what the others return may have changed. */
  subscribe(listener: () => void): () => void;
}
