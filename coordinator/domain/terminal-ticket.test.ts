import { expect, test } from "vitest";
import { opensTerminal, TERMINAL_TICKET_MS, TICKETS_PER_USER, ticketsToRemove } from "./terminal-ticket.ts";

const NOW = 1_800_000_000_000;
const OF = { keyId: "session", shellId: "shell" };

function ticket(createdAt = NOW) {
  return { id: "ticket", userId: "ada", ...OF, secretSha256: "", createdAt };
}

test("opens a terminal for its own session and shell alone, for thirty seconds", () => {
  expect(opensTerminal(ticket(), OF, NOW + TERMINAL_TICKET_MS - 1)).toBe(true);
  expect(opensTerminal(ticket(), OF, NOW + TERMINAL_TICKET_MS)).toBe(false);
  expect(opensTerminal(ticket(), { ...OF, keyId: "other" }, NOW)).toBe(false);
  expect(opensTerminal(ticket(), { ...OF, shellId: "other" }, NOW)).toBe(false);
});

test("gives way to newer ones: those that are over go, and the oldest of too many", () => {
  const over = { value: ticket(NOW - TERMINAL_TICKET_MS) };
  const open = Array.from({ length: TICKETS_PER_USER }, (_, age) => ({ value: ticket(NOW - age) }));
  expect(ticketsToRemove([over, ...open.slice(0, 3)], NOW)).toEqual([over]);
  expect(ticketsToRemove(open, NOW)).toEqual([open.at(-1)]);
});
