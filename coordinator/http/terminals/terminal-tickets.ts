/** Gives a ticket for a terminal, and takes it back once: the commit that removes it decides who had it. */
import type { Clock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { terminalTicketText } from "../../auth/id-secret-text.ts";
import { hashSecret, secretMatches } from "../../auth/key-secret.ts";
import { opensTerminal, type TerminalTicket, ticketsToRemove } from "../../domain/terminal-ticket.ts";
import { create, remove } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import { update } from "../../store/update.ts";

export type TicketHolder = Pick<TerminalTicket, "userId" | "keyId" | "shellId">;

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

/** Whether the text is a ticket of that key or session for that shell, and nobody used it before. */
export async function useTicket(
  store: Store,
  text: string,
  holder: Pick<TicketHolder, "keyId" | "shellId">,
  clock: Pick<Clock, "now">,
): Promise<boolean> {
  const parsed = terminalTicketText.parse(text);
  if (parsed === null) return false;
  const ticket = await store.get("terminal-tickets", parsed.id);
  const isRight = secretMatches(parsed.secret, ticket?.value.secretSha256 ?? null);
  if (ticket === null || !isRight || !opensTerminal(ticket.value, holder, clock.now())) return false;
  return (await store.commit([remove("terminal-tickets", ticket)])).kind === "committed";
}
