import { expect, test } from "vitest";
import type { ShellRecord } from "../api/records.ts";
import { notComing } from "./await-shell.ts";

test("a shell whose machine left waits for it or is deleted, since nothing of the shell can be corrected", () => {
  const next = (reason: string) => notComing(failed(reason)).next;
  expect(next("node_lost")).toMatch(
    /^Its home is on that machine: once it is back, run `elastic shell start 0a`; else delete it/,
  );
  expect(next("image_pull_failed")).toContain("run `elastic shell start 0a`");
});

function failed(reason: string): ShellRecord {
  return { shell_id: "0a", state: "FAILED", failure: { reason, message: "gone" } } as ShellRecord;
}
