import { expect, test } from "vitest";
import { hostBlocks } from "./host-blocks.ts";

const shell = (name: string, user: string) => ({ name, user, host: "shells.example", port: 2222, hostKey: "k" });
const hostsOf = (text: string) => text.split("\n").filter((line) => line.startsWith("Host "));

test("a shell becomes a host of OpenSSH's configuration, by its name and its id", () => {
  expect(hostBlocks([shell("lab", "0a")], "/home/ada/my config/known_hosts")).toBe(
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
  expect(hostsOf(hostBlocks([shell("github.com", "0a")], "/known"))).toEqual(["Host 0a"]);
});

test("of shells that have one name the first is called by it, and all by their ids", () => {
  const shells = [shell("lab", "0c"), shell("other", "0b"), shell("lab", "0a")];
  expect(hostsOf(hostBlocks(shells, "/known"))).toEqual(["Host lab 0c", "Host other 0b", "Host 0a"]);
});
