import { expect, test } from "vitest";
import { sshArguments } from "./address.ts";

const ADDRESS = { user: "0a", host: "shells.example", port: 2222, hostKey: "ssh-ed25519 A" };

test("passes port, user and host to ssh, then the command", () => {
  expect(sshArguments(ADDRESS, ["nvidia-smi", "-L"])).toEqual(["-p", "2222", "0a@shells.example", "nvidia-smi", "-L"]);
});
