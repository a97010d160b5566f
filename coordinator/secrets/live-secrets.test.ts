import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "@elastic/std/log.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { changeKeyFile, readPresentKeys, withKeysSwapped, withoutSecondKey, withSecondKey } from "./change-key-file.ts";
import { newKeyLine } from "./key-file.ts";
import { LiveSecrets } from "./live-secrets.ts";

const log = createLog({ name: "test", level: "silent" });

let dir: string;
let keyFile: string;
let live: LiveSecrets;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "live-secrets-"));
  keyFile = join(dir, "keys");
  live = new LiveSecrets({ keyFile, log });
});

afterEach(() => {
  live.stop();
  rmSync(dir, { recursive: true });
});

test("opens what the earlier key sealed while the keys are staged, promoted and until one is retired", () => {
  const before = live.seal(Buffer.from("a"), "c");
  const [old] = live.keyIds();
  const [, staged] = changeKeyFile(keyFile, withSecondKey);
  live.check();
  expect(live.keyIds()).toEqual([old, staged?.id]);
  expect(live.seal(Buffer.from("b"), "c")).toContain(`v1.${old}.`);

  changeKeyFile(keyFile, withKeysSwapped);
  live.check();
  const after = live.seal(Buffer.from("b"), "c");
  expect(after).toContain(`v1.${staged?.id}.`);
  expect([before, after].map((one) => live.open(one, "c").toString())).toEqual(["a", "b"]);

  changeKeyFile(keyFile, withoutSecondKey);
  live.check();
  expect(live.keyIds()).toEqual([staged?.id]);
  expect(() => live.open(before, "c")).toThrow(/not in/);
});

test("reads the file at once for an envelope or a signature of a key that it does not know", () => {
  const other = new LiveSecrets({ keyFile, log });
  changeKeyFile(keyFile, withSecondKey);
  changeKeyFile(keyFile, withKeysSwapped);
  other.check();
  other.stop();
  expect(live.keyIds()).toHaveLength(1);
  expect(live.open(other.seal(Buffer.from("b"), "c"), "c").toString()).toBe("b");
  expect(live.keyIds()).toEqual(other.keyIds());
});

test.each([
  ["is empty", () => "", /no key in it/],
  ["is cut", (text: string) => text.slice(0, 20), /not 32 bytes/],
  ["has another key in place of the one that seals", () => newKeyLine(), /no longer key .* put that line back/],
])("keeps its keys and says why while the file %s", (_, change, why) => {
  const text = readFileSync(keyFile, "utf8");
  const sealed = live.seal(Buffer.from("a"), "c");
  writeFileSync(keyFile, change(text));
  live.check();
  expect(live.complaint()).toMatch(why);
  expect(live.open(sealed, "c").toString()).toBe("a");
  writeFileSync(keyFile, text);
  live.check();
  expect(live.complaint()).toBeNull();
});

test("keeps its keys and makes no new file while the file is gone", () => {
  const ids = live.keyIds();
  rmSync(keyFile);
  live.check();
  expect(live.keyIds()).toEqual(ids);
  expect(live.complaint()).toMatch(/ENOENT/);
});

test("changes the file with its comments, its mode and nothing next to it", () => {
  writeFileSync(keyFile, `# of 2026\n${newKeyLine()}\n# end\n`, { mode: 0o640 });
  const mode = statSync(keyFile).mode;
  const [first] = readPresentKeys(keyFile);
  const staged = changeKeyFile(keyFile, withSecondKey);
  expect(staged.map(({ id }) => id)[0]).toBe(first.id);
  expect(changeKeyFile(keyFile, withKeysSwapped).map(({ id }) => id)).toEqual(staged.map(({ id }) => id).reverse());
  expect(changeKeyFile(keyFile, withoutSecondKey)).toHaveLength(1);
  expect(readFileSync(keyFile, "utf8")).toMatch(/^# of 2026\n.*\n# end\n$/);
  expect(statSync(keyFile).mode).toBe(mode);
});
