import { expect, test } from "vitest";
import type { ShellRecord } from "../api/records.ts";
import { notComing } from "./await-shell.ts";

test("a shell whose home is lost is deleted, since starting it again can never work; another failure is corrected", () => {
  const next = (reason: string) => notComing(failed(reason)).next;
  expect(next("node_lost")).toMatch(/^Its home is lost: run `elastic shell delete 0a`, and make another/);
  expect(next("image_pull_failed")).toContain("run `elastic shell start 0a`");
});

function failed(reason: string): ShellRecord {
  return { shell_id: "0a", state: "FAILED", failure: { reason, message: "gone" } } as ShellRecord;
}
