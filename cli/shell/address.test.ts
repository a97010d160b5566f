import { expect, test } from "vitest";
import { hostBlock, sshArguments } from "./address.ts";

const ADDRESS = { user: "0a", host: "shells.example", port: 2222, hostKey: "ssh-ed25519 A" };

test("ssh is told port, user and host, then the command", () => {
  expect(sshArguments(ADDRESS, ["nvidia-smi", "-L"])).toEqual(["-p", "2222", "0a@shells.example", "nvidia-smi", "-L"]);
});

test("a shell becomes a host of OpenSSH's configuration, by its name and its id", () => {
  expect(hostBlock("lab", ADDRESS, "/home/ada/my config/known_hosts")).toBe(
    [
      "Host lab 0a",
      "  HostName shells.example",
      "  Port 2222",
      "  User 0a",
      '  UserKnownHostsFile "/home/ada/my config/known_hosts"',
      "  StrictHostKeyChecking yes",
    ].join("\n"),
  );
});

test("no shell takes the place of another host", () => {
  expect(hostBlock("github.com", ADDRESS, "/known")).toMatch(/^Host 0a\n/);
});
