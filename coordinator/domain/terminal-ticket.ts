/**
 * The right to open one terminal in a shell from a browser, or one connection of OpenSSH, once and soon. Browsers send
 * cookies with a WebSocket's request from any site, so the cookie alone is not enough; the ticket is of the same session or
 * key, and of one shell. OpenSSH has neither: its ticket names a public key, and without the private one opens nothing.
 */
import type { Instant } from "@elastic/std/clock.ts";

export interface TerminalTicket {
  readonly id: string;
  readonly userId: string;
  /** Of the access key or session that it was given to. */
  readonly keyId: string;
  readonly shellId: string;
  /** SHA-256 of the ticket's secret, lower-case hexadecimal. */
  readonly secretSha256: string;
  /** Type and base64 of the key that OpenSSH logs in with. Absent from a ticket for a terminal. */
  readonly clientKey?: string;
  readonly createdAt: Instant;
}

export const TERMINAL_TICKET_MS = 30_000;
/** A further one ends the oldest of its kind. */
export const TICKETS_PER_USER = 20;
/** As many as one shell may have at once, for a program that opens all of them together. */
export const CONNECTION_TICKETS_PER_USER = 128;
/** With one commit, which holds little more. */
const REMOVED_AT_ONCE_MAX = 64;

export function isTicketOver({ createdAt }: Pick<TerminalTicket, "createdAt">, now: Instant): boolean {
  return now - createdAt >= TERMINAL_TICKET_MS;
}

/** Whether it opens a terminal in that shell for that key or session. */
export function opensTerminal(
  ticket: TerminalTicket,
  of: Pick<TerminalTicket, "keyId" | "shellId">,
  now: Instant,
): boolean {
  const isOwn = ticket.keyId === of.keyId && ticket.shellId === of.shellId;
  return isOwn && ticket.clientKey === undefined && !isTicketOver(ticket, now);
}

/** The key that it opens one connection of OpenSSH for; null where it opens none. */
export function opensConnection(ticket: TerminalTicket, now: Instant): string | null {
  return isTicketOver(ticket, now) ? null : (ticket.clientKey ?? null);
}

/** Which of a user's tickets go when another is made: those that are over, and the oldest of too many of either kind. */
export function ticketsToRemove<T extends { readonly value: Pick<TerminalTicket, "createdAt" | "clientKey"> }>(
  tickets: Iterable<T>,
  now: Instant,
): readonly T[] {
  const newestFirst = [...tickets].sort((a, b) => b.value.createdAt - a.value.createdAt);
  const tooMany = (isConnection: boolean, max: number) =>
    newestFirst
      .filter(({ value }) => (value.clientKey !== undefined) === isConnection)
      .filter(({ value }, place) => place >= max - 1 || isTicketOver(value, now));
  const gone = [...tooMany(false, TICKETS_PER_USER), ...tooMany(true, CONNECTION_TICKETS_PER_USER)];
  return gone.slice(-REMOVED_AT_ONCE_MAX);
}
