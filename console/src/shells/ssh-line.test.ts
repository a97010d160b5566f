import { expect, test } from "vitest";
import { knownHostsLine, sshLine } from "./ssh-line.ts";

const SHELL = { username: "0a", hostname: "shells.example", port: 2222, host_key: "ssh-ed25519 AAAA" };

test("names the port only where it is not the one of SSH", () => {
  expect(sshLine(SHELL)).toBe("ssh -p 2222 0a@shells.example");
  expect(knownHostsLine(SHELL)).toBe("[shells.example]:2222 ssh-ed25519 AAAA");
  expect(sshLine({ ...SHELL, port: 22 })).toBe("ssh 0a@shells.example");
  expect(knownHostsLine({ ...SHELL, port: 22 })).toBe("shells.example ssh-ed25519 AAAA");
});

test("has no line where the installation has no gateway", () => {
  const none = { ...SHELL, hostname: null, port: null, host_key: null };
  expect([sshLine(none), knownHostsLine(none)]).toEqual([null, null]);
});
