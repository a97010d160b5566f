/** The directory over the store's view: everything is in memory, so a login waits for nothing. */
import type { Clock, Instant } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { recheck } from "../auth/authenticate.ts";
import { mayDo } from "../auth/authorize.ts";
import { type ConnectionTicket, useConnectionTicket } from "../auth/terminal-tickets.ts";
import { isOfShell } from "../domain/assignment.ts";
import { noticeToShells } from "../domain/node-drain.ts";
import { roleMay } from "../domain/role.ts";
import { endOfRun, isWanted, type Shell, used } from "../domain/shell.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { isShellPassword } from "../secrets/shell-password.ts";
import { replace } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import type { KeyLogin, LoginShell, ShellDirectory } from "./shell-directory.ts";

export interface RecordDirectoryOptions {
  readonly store: Pick<Store, "view" | "get" | "commit">;
  readonly secrets: Pick<Secrets, "open">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Logger;
}

export class RecordDirectory implements ShellDirectory {
  readonly #options: RecordDirectoryOptions;
  /** Of those that have one. */
  readonly #assignments = new Map<string, string>();
  readonly #usersOfKey = new Map<string, Set<string>>();
  /** Shells whose use is being written. */
  readonly #writing = new Set<string>();

  constructor(options: RecordDirectoryOptions) {
    this.#options = options;
  }

  /** Follows the view. Returns the way to stop. */
  start(): () => void {
    const { assignments, users } = this.#options.store.view;
    for (const { value } of assignments.values()) if (isOfShell(value)) this.#assign(value.workload.shellId, value.id);
    for (const { value } of users.values()) {
      for (const { blob } of value.authorizedKeys ?? []) this.#addKey(blob, value.id);
    }
    const stops = [
      assignments.subscribe(({ before, after }) => {
        const old = before?.value;
        if (after !== undefined && isOfShell(after.value)) this.#assign(after.value.workload.shellId, after.value.id);
        else if (old !== undefined && isOfShell(old) && this.#assignments.get(old.workload.shellId) === old.id) {
          this.#assignments.delete(old.workload.shellId);
        }
      }),
      users.subscribe(({ id, before, after }) => {
        for (const { blob } of before?.value.authorizedKeys ?? []) this.#removeKey(blob, id);
        for (const { blob } of after?.value.authorizedKeys ?? []) this.#addKey(blob, id);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  isKnown(): boolean {
    return Number.isFinite(this.#options.store.view.ageMs());
  }

  find(shellId: string): LoginShell | null {
    const shell = this.#options.store.view.shells.get(shellId)?.value;
    return shell === undefined || shell.state.kind === "deleted" ? null : this.#loginShell(shell);
  }

  keyOf(teamId: string, blob: string): KeyLogin | null {
    const { users } = this.#options.store.view;
    for (const userId of this.#usersOfKey.get(blob) ?? []) {
      const key = users.get(userId)?.value.authorizedKeys?.find((one) => one.blob === blob);
      if (key !== undefined && this.#mayLogIn(userId, teamId)) {
        return { by: "key", userId, keyId: key.id };
      }
    }
    return null;
  }

  hasKey(teamId: string, userId: string, keyId: string): boolean {
    if (!this.#mayLogIn(userId, teamId)) return false;
    const { users } = this.#options.store.view;
    return users.get(userId)?.value.authorizedKeys?.some(({ id }) => id === keyId) ?? false;
  }

  async useTicket(text: string): Promise<ConnectionTicket | null> {
    const { store, clock } = this.#options;
    const ticket = await useConnectionTicket(store, text, clock);
    const shell = ticket === null ? undefined : store.view.shells.get(ticket.shellId)?.value;
    if (ticket === null || shell === undefined) return null;
    // What was revoked since it was given opens nothing, and what is unknown now neither.
    const found = recheck(store.view, ticket.keyId, clock.now());
    return found.kind === "key" && mayDo(store.view, found.key, shell.teamId, "shells") ? ticket : null;
  }

  mayConnect(teamId: string, keyId: string): boolean {
    const { store, clock } = this.#options;
    const found = recheck(store.view, keyId, clock.now());
    // While the view is too old to know, who is in stays in.
    if (found.kind === "unavailable") return true;
    return found.kind === "key" && mayDo(store.view, found.key, teamId, "shells");
  }

  used(shellId: string, at: Instant): void {
    const { store, log } = this.#options;
    const shell = store.view.shells.get(shellId);
    const next = shell === undefined ? null : used(shell.value, at);
    if (shell === undefined || next === null || this.#writing.has(shellId)) return;
    this.#writing.add(shellId);
    // When somebody else was faster, the next use is written.
    store
      .commit([replace("shells", shell, next)])
      .catch((error: unknown) => log.warn({ err: error, shellId }, "the use of a shell could not be written"))
      .finally(() => this.#writing.delete(shellId));
  }

  subscribe(listener: () => void): () => void {
    const { shells, users, memberships, accessKeys, sessions, teams } = this.#options.store.view;
    const stops = [shells, users, memberships, accessKeys, sessions, teams].map((records) =>
      records.subscribe(listener),
    );
    return () => {
      for (const stop of stops) stop();
    };
  }

  #mayLogIn(userId: string, teamId: string): boolean {
    const membership = this.#options.store.view.memberships.get(`${userId}/${teamId}`);
    return membership !== undefined && roleMay(membership.value.role, "shells");
  }

  #loginShell(shell: Shell): LoginShell {
    const { secrets } = this.#options;
    const node = this.#options.store.view.nodes.get(shell.nodeId ?? "")?.value;
    const isUp = shell.state.kind === "ready";
    return {
      id: shell.id,
      teamId: shell.teamId,
      // In the same time where passwords open nothing.
      passwordMatches: (text) => isShellPassword(secrets, shell, Buffer.from(text)) && shell.passwordLogin !== false,
      // Sealed again whenever it changes.
      passwordId: shell.sealedPassword,
      assignmentId: isUp ? (this.#assignments.get(shell.id) ?? null) : null,
      state: shell.state.kind,
      end: isWanted(shell) ? endOfRun(shell) : null,
      notice: isUp && node !== undefined ? noticeToShells(node) : null,
    };
  }

  #assign(shellId: string, assignmentId: string): void {
    this.#assignments.set(shellId, assignmentId);
  }

  #addKey(blob: string, userId: string): void {
    this.#usersOfKey.set(blob, (this.#usersOfKey.get(blob) ?? new Set()).add(userId));
  }

  #removeKey(blob: string, userId: string): void {
    const users = this.#usersOfKey.get(blob);
    users?.delete(userId);
    if (users?.size === 0) this.#usersOfKey.delete(blob);
  }
}
