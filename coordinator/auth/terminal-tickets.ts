/** Gives a ticket for a terminal or a connection, and takes it back once: the commit that removes it decides who had it. */
import type { Clock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { opensConnection, opensTerminal, type TerminalTicket, ticketsToRemove } from "../domain/terminal-ticket.ts";
import type { Versioned } from "../domain/versioned.ts";
import { create, remove } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import { update } from "../store/update.ts";
import { terminalTicketText } from "./id-secret-text.ts";
import { hashSecret, secretMatches } from "./key-secret.ts";

export type TicketHolder = Pick<TerminalTicket, "userId" | "keyId" | "shellId" | "clientKey">;

export async function giveTicket(
  store: Store,
  holder: TicketHolder,
  clock: Pick<Clock, "now">,
): Promise<{ readonly record: TerminalTicket; readonly text: string }> {
  const now = clock.now();
  const text = terminalTicketText.create(newId(now));
  const record = { id: text.id, ...holder, secretSha256: hashSecret(text.secret), createdAt: now };
  await update(store, {
    read: () => ticketsToRemove(store.view.terminalTickets.of(holder.userId), now),
    decide: (gone) => [create("terminal-tickets", record), ...gone.map((ticket) => remove("terminal-tickets", ticket))],
  });
  return { record, text: terminalTicketText.format(text) };
}

/** Whether the text is a ticket of that key or session for a terminal of that shell, and nobody used it before. */
export async function useTicket(
  store: Store,
  text: string,
  holder: Pick<TicketHolder, "keyId" | "shellId">,
  clock: Pick<Clock, "now">,
): Promise<boolean> {
  const ticket = await find(store, text);
  if (ticket === null || !opensTerminal(ticket.value, holder, clock.now())) return false;
  return (await store.commit([remove("terminal-tickets", ticket)])).kind === "committed";
}

/** What a client of OpenSSH may open. */
export type ConnectionTicket = Pick<TerminalTicket, "userId" | "keyId" | "shellId"> & {
  /** Type and base64 of the only key that it may log in with. */
  readonly clientKey: string;
};

/** Null where the text is no ticket for a connection, or somebody used it before. */
export async function useConnectionTicket(
  store: Pick<Store, "get" | "commit">,
  text: string,
  clock: Pick<Clock, "now">,
): Promise<ConnectionTicket | null> {
  const ticket = await find(store, text);
  const clientKey = ticket === null ? null : opensConnection(ticket.value, clock.now());
  if (ticket === null || clientKey === null) return null;
  if ((await store.commit([remove("terminal-tickets", ticket)])).kind !== "committed") return null;
  const { userId, keyId, shellId } = ticket.value;
  return { userId, keyId, shellId, clientKey };
}

async function find(store: Pick<Store, "get">, text: string): Promise<Versioned<TerminalTicket> | null> {
  const parsed = terminalTicketText.parse(text);
  if (parsed === null) return null;
  const ticket = await store.get("terminal-tickets", parsed.id);
  return secretMatches(parsed.secret, ticket?.value.secretSha256 ?? null) ? ticket : null;
}
