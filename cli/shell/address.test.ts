import { expect, test } from "vitest";
import { hostBlock, sshArguments } from "./address.ts";

const ADDRESS = { user: "0a", host: "shells.example", port: 2222 };

test("ssh is told port, user and host, then the command", () => {
  expect(sshArguments(ADDRESS, ["nvidia-smi", "-L"])).toEqual(["-p", "2222", "0a@shells.example", "nvidia-smi", "-L"]);
});

test("a shell becomes a host of OpenSSH's configuration, by its name and its id", () => {
  expect(hostBlock("lab", ADDRESS)).toBe("Host lab 0a\n  HostName shells.example\n  Port 2222\n  User 0a");
});

test("no shell takes the place of another host", () => {
  expect(hostBlock("github.com", ADDRESS)).toMatch(/^Host 0a\n/);
});
