import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { orderableRollback, switchTo } from "./layout.ts";

const DAY_MS = 86_400_000;

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "layout-"));
  for (const version of ["1.0.0", "2.0.0"]) {
    mkdirSync(join(home, `elastic-agent-${version}`, "bin"), { recursive: true });
    writeFileSync(join(home, `elastic-agent-${version}`, "bin", "elastic-agent"), "");
  }
  symlinkSync("elastic-agent-1.0.0", join(home, "elastic-agent"));
});
afterEach(() => rmSync(home, { recursive: true }));

test("has an order return to the version that ran before the last upgrade alone, for a week", () => {
  const now = Date.now();
  expect(orderableRollback({ home }, now)).toBeNull();
  switchTo({ home }, "2.0.0");
  expect(orderableRollback({ home }, now)).toBe("1.0.0");
  expect(orderableRollback({ home }, now + 6 * DAY_MS)).toBe("1.0.0");
  expect(orderableRollback({ home }, now + 8 * DAY_MS)).toBeNull();
  rmSync(join(home, "elastic-agent-1.0.0"), { recursive: true });
  expect(orderableRollback({ home }, now)).toBeNull();
});
