import { expect, test } from "vitest";
import {
  CONNECTION_TICKETS_PER_USER,
  opensConnection,
  opensTerminal,
  TERMINAL_TICKET_MS,
  TICKETS_PER_USER,
  ticketsToRemove,
} from "./terminal-ticket.ts";

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

test("opens a connection where it names a client's key, and then no terminal", () => {
  const forSsh = { ...ticket(), clientKey: "ssh-ed25519 AAAA" };
  expect(opensConnection(forSsh, NOW + TERMINAL_TICKET_MS - 1)).toBe("ssh-ed25519 AAAA");
  expect(opensConnection(forSsh, NOW + TERMINAL_TICKET_MS)).toBeNull();
  expect(opensConnection(ticket(), NOW)).toBeNull();
  expect(opensTerminal(forSsh, OF, NOW)).toBe(false);
});

test("gives way to newer ones: those that are over go, and the oldest of too many", () => {
  const over = { value: ticket(NOW - TERMINAL_TICKET_MS) };
  const open = Array.from({ length: TICKETS_PER_USER }, (_, age) => ({ value: ticket(NOW - age) }));
  expect(ticketsToRemove([over, ...open.slice(0, 3)], NOW)).toEqual([over]);
  expect(ticketsToRemove(open, NOW)).toEqual([open.at(-1)]);
  const connections = Array.from({ length: CONNECTION_TICKETS_PER_USER }, (_, age) => ({
    value: { ...ticket(NOW - age), clientKey: "ssh-ed25519 AAAA" },
  }));
  expect(ticketsToRemove([...open.slice(1), ...connections.slice(1)], NOW)).toEqual([]);
  expect(ticketsToRemove(connections, NOW)).toEqual([connections.at(-1)]);
  // No more than one commit removes.
  expect(ticketsToRemove(connections, NOW + TERMINAL_TICKET_MS)).toHaveLength(64);
});
