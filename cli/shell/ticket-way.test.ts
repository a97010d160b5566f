import { expect, test } from "vitest";
import { ticketOptions, ticketTarget } from "./ticket-way.ts";

const ADDRESS = { user: "0a", host: "shells.example", port: 2222, hostKey: "ssh-ed25519 AAAA" };
const optionsOf = (...command: readonly string[]) =>
  Object.fromEntries(ticketOptions(command, { path: "/c/shell_key" }, "/c/known"));

test("a shell's id is the name by which OpenSSH knows it, so that no two share a connection or a certificate", () => {
  expect(ticketTarget(ADDRESS)).toMatchObject({ user: "nobody", host: "0a" });
});

test("the command is one for the user's shell, whatever is in its paths", () => {
  expect(optionsOf("/usr/bin/node", "a b", '50% "$(x)`').ProxyCommand).toBe('/usr/bin/node "a b" "50%% \\"\\$(x)\\`"');
});

test("nothing of the client's machine is forwarded, and no other key or host is accepted", () => {
  expect(optionsOf("p")).toMatchObject({
    ForwardAgent: "no",
    ForwardX11: "no",
    IdentitiesOnly: "yes",
    StrictHostKeyChecking: "yes",
    UserKnownHostsFile: '"/c/known"',
  });
});
