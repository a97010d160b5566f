import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { changesOfCheckout, releaseOfCheckout } from "./release-of-checkout.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "checkout-"));
  git("init", "--quiet");
  writeFileSync(join(folder, ".gitignore"), "built/\n");
  writeFileSync(join(folder, "source.ts"), "1\n");
  git("add", ".");
  git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "first");
});
afterEach(() => rmSync(folder, { recursive: true }));

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trim();
}

const commit = () => releaseOfCheckout(null, { SOURCE_DATE_EPOCH: "7" }, folder).commit;

test("states the commit of sources that are as committed", () => {
  expect([changesOfCheckout(folder), commit()]).toEqual([[], git("rev-parse", "HEAD")]);
});

test.each([
  ["a changed file", " M source.ts", () => writeFileSync(join(folder, "source.ts"), "2\n")],
  ["a new file", "?? new.ts", () => writeFileSync(join(folder, "new.ts"), "1\n")],
  ["a removed file", " D source.ts", () => rmSync(join(folder, "source.ts"))],
])("states that sources with %s are not the commit's, and which", (_, line, change) => {
  change();
  expect([changesOfCheckout(folder), commit()]).toEqual([[line], `${git("rev-parse", "HEAD")}-changed`]);
});

test("states no commit where there is no checkout", () => {
  rmSync(join(folder, ".git"), { recursive: true });
  expect([changesOfCheckout(folder), commit()]).toEqual([[], null]);
});
