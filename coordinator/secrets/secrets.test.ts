import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSecrets } from "./secrets.ts";

let dir: string;
let keyFile: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "secrets-"));
  keyFile = join(dir, "keys");
});

afterEach(() => rmSync(dir, { recursive: true }));

test("what is sealed opens under its context alone, and in another process that has the file", () => {
  const sealed = openSecrets({ keyFile }).seal(Buffer.from("TOKEN=1"), "deployment/a");
  const other = openSecrets({ keyFile });
  expect(other.open(sealed, "deployment/a").toString()).toBe("TOKEN=1");
  expect(() => other.open(sealed, "deployment/b")).toThrow();
  expect(sealed).not.toContain("TOKEN");
});

test("a changed, cut or foreign envelope is refused", () => {
  const secrets = openSecrets({ keyFile });
  const sealed = secrets.seal(Buffer.from("plain"), "c");
  const at = sealed.length - 3;
  const changed = sealed.slice(0, at) + (sealed.charAt(at) === "A" ? "B" : "A") + sealed.slice(at + 1);
  expect(() => secrets.open(changed, "c")).toThrow();
  expect(() => secrets.open(sealed.slice(0, 20), "c")).toThrow(/cut/);
  expect(() => secrets.open(`v2${sealed.slice(2)}`, "c")).toThrow(/form/);
  expect(() => secrets.open(`${sealed}.junk`, "c")).toThrow(/form/);
  expect(() => openSecrets({ keyFile: join(dir, "others") }).open(sealed, "c")).toThrow(/not in/);
});

test("the same text is never sealed twice to the same envelope", () => {
  const secrets = openSecrets({ keyFile });
  expect(secrets.seal(Buffer.from("a"), "c")).not.toBe(secrets.seal(Buffer.from("a"), "c"));
});

test("a signature holds for its text and purpose alone", () => {
  const secrets = openSecrets({ keyFile });
  const signature = secrets.sign("link", "task.1");
  expect(secrets.verify("link", "task.1", signature)).toBe(true);
  expect(secrets.verify("link", "task.2", signature)).toBe(false);
  expect(secrets.verify("other", "task.1", signature)).toBe(false);
  expect(secrets.verify("link", "task.1", "")).toBe(false);
  expect(secrets.verify("link", "task.1", `${signature}A`)).toBe(false);
  for (const more of [".", ".junk", ".a.b"]) {
    expect([more, secrets.verify("link", "task.1", signature + more)]).toEqual([more, false]);
  }
});

test("after a rotation the new key seals and the old one still opens", () => {
  const before = openSecrets({ keyFile });
  const sealed = before.seal(Buffer.from("a"), "c");
  const signature = before.sign("link", "t");
  writeFileSync(keyFile, `# newest first\n${randomBytes(32).toString("hex")}\n${readFileSync(keyFile, "utf8")}`);
  const after = openSecrets({ keyFile });
  expect(after.open(sealed, "c").toString()).toBe("a");
  expect(after.verify("link", "t", signature)).toBe(true);
  expect(() => before.open(after.seal(Buffer.from("b"), "c"), "c")).toThrow(/not in/);
});

test("creates a file that only its owner can read, and rejects invalid ones", () => {
  openSecrets({ keyFile });
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  writeFileSync(keyFile, "short\n");
  expect(() => openSecrets({ keyFile })).toThrow(/key 1 is not 32 bytes/);
  writeFileSync(keyFile, "\n");
  expect(() => openSecrets({ keyFile })).toThrow(/no key/);
  writeFileSync(keyFile, `${randomBytes(32).toString("base64")}\n`.repeat(3));
  expect(() => openSecrets({ keyFile })).toThrow(/3 keys/);
});
