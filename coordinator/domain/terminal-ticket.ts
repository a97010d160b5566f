/**
 * The right to open one terminal in a shell from a browser, once and soon. Browsers send cookies with a WebSocket's request
 * from any site, so the cookie alone is not enough; the ticket is of the same session or key, and of one shell.
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
  readonly createdAt: Instant;
}

export const TERMINAL_TICKET_MS = 30_000;
/** A further one ends the oldest. */
export const TICKETS_PER_USER = 20;

export function isTicketOver({ createdAt }: Pick<TerminalTicket, "createdAt">, now: Instant): boolean {
  return now - createdAt >= TERMINAL_TICKET_MS;
}

/** Whether it opens a terminal in that shell for that key or session. */
export function opensTerminal(
  ticket: TerminalTicket,
  of: Pick<TerminalTicket, "keyId" | "shellId">,
  now: Instant,
): boolean {
  return ticket.keyId === of.keyId && ticket.shellId === of.shellId && !isTicketOver(ticket, now);
}

/** Which of a user's tickets go when another is made: those that are over, and the oldest of too many. */
export function ticketsToRemove<T extends { readonly value: Pick<TerminalTicket, "createdAt"> }>(
  tickets: Iterable<T>,
  now: Instant,
): readonly T[] {
  const newestFirst = [...tickets].sort((a, b) => b.value.createdAt - a.value.createdAt);
  return newestFirst.filter(({ value }, place) => place >= TICKETS_PER_USER - 1 || isTicketOver(value, now));
}
