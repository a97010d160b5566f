import { expect, test } from "vitest";
import { installLine } from "./install-line.ts";

const LINE = {
  coordinator: "control.example:8444",
  token: "ejt_id_secret",
  authorityFileSha256: "a".repeat(64),
  nodeName: "gpu-7",
};
const OFFER = {
  installerSha256: "b".repeat(64),
  keyFileSha256: "c".repeat(64),
  releases: [{ platform: "linux-x64", version: "1.2.3", manifestSha256: "d".repeat(64) }],
};

test("is one line that names the authority, the installer, the key, the release and the node", () => {
  const line = installLine(LINE, OFFER);
  expect(line).not.toContain("\n");
  expect(
    line.endsWith(
      `' elastic control.example:8444 ${"a".repeat(64)} ${"b".repeat(64)} --release-key-file ${"c".repeat(64)} --release linux-x64:1.2.3:${"d".repeat(64)} --node gpu-7`,
    ),
  ).toBe(true);
  expect(installLine({ ...LINE, nodeName: null }, OFFER)).not.toContain("--node");
});

test("hands the token to a pipe of the shell's own echo, and to nothing else", () => {
  const line = installLine(LINE, OFFER);
  expect(line.startsWith("echo ejt_id_secret | ")).toBe(true);
  expect(line.split("ejt_id_secret")).toHaveLength(2);
});

test("quotes one script, which contains no quote of the same kind", () => {
  expect(installLine(LINE, OFFER).split("'")).toHaveLength(3);
});
