import { expect, test } from "vitest";
import { withHosts } from "./known-hosts.ts";

const gateway = (host: string, port: number, hostKey: string) => ({ user: "0a", host, port, hostKey });

test("a gateway is known by the name under which OpenSSH looks for it", () => {
  const hosts = [gateway("Shells.example", 2222, "ssh-ed25519 A"), gateway("::1", 22, "ssh-ed25519 B")];
  expect(withHosts("", hosts)).toBe("[shells.example]:2222 ssh-ed25519 A\n::1 ssh-ed25519 B\n");
});

test("a gateway with another key takes the place of the old one, and others stay", () => {
  const before = "[shells.example]:2222 ssh-ed25519 A\nother.example ssh-ed25519 B\n";
  expect(withHosts(before, [gateway("shells.example", 2222, "ssh-ed25519 C")])).toBe(
    "[shells.example]:2222 ssh-ed25519 C\nother.example ssh-ed25519 B\n",
  );
});
