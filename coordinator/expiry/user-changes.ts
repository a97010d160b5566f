/** What a deleted user had, apart from the mark: all that opened something, and what would have become such. Pure. */
import type { Versioned } from "../domain/versioned.ts";
import { remove } from "../store/change.ts";
import type { Change, View } from "../store/store.ts";

export function changesOfUser(view: View, userId: string): readonly Change[] {
  const devices = [...view.deviceCodes.values()].filter(
    ({ value: { decision } }) => decision?.kind === "approved" && decision.userId === userId,
  );
  const invitations = [...view.invitations.values()].filter(({ value }) => value.creatorId === userId);
  return [
    ...ofUser(view.memberships.values(), userId).map((one) => remove("memberships", one)),
    ...ofUser(view.accessKeys.values(), userId).map((one) => remove("access-keys", one)),
    ...[...view.sessions.of(userId)].map((one) => remove("sessions", one)),
    ...[...view.terminalTickets.of(userId)].map((one) => remove("terminal-tickets", one)),
    ...[...view.accounts.of(userId)].map((one) => remove("accounts", one)),
    ...ofUser(view.loginLinks.values(), userId).map((one) => remove("login-links", one)),
    ...invitations.map((one) => remove("invitations", one)),
    ...devices.map((one) => remove("device-codes", one)),
  ];
}

function ofUser<T extends { readonly userId: string }>(
  records: Iterable<Versioned<T>>,
  userId: string,
): readonly Versioned<T>[] {
  return [...records].filter(({ value }) => value.userId === userId);
}
