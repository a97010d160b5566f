import { expect, test } from "vitest";
import { aShell, aShellAssignment } from "../domain/testing/records.ts";
import { encodeShellAssignment } from "./encode-shell.ts";

const ALLOWED = [{ host: "crates.io", below: true, port: 443 }];

test("a shell connects where it was allowed to when it was made, and still is", () => {
  const shell = aShell({ egress: ["static.crates.io:443", "crates.io:443", "github.com:443"] });
  const { workload } = encodeShellAssignment(aShellAssignment(shell, "a"), shell, "run", ALLOWED);
  expect(workload).toMatchObject({ value: { egress: [{ host: "static.crates.io", below: false, port: 443 }] } });
});

test("a shell of before there were lists connects nowhere", () => {
  const shell = aShell();
  const { workload } = encodeShellAssignment(aShellAssignment(shell, "a"), shell, "run", ALLOWED);
  expect(workload).toMatchObject({ value: { egress: [] } });
});
