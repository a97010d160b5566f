import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { nameBlobFile } from "./blob-file.ts";
import { BlobsUnavailableError } from "./blob-store.ts";

test("names the directory in the place of a blob that cannot be moved, and leaves both", async () => {
  const dir = mkdtempSync(join(tmpdir(), "blob-file-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const [temporary, path] = [join(dir, "temporary"), join(dir, "blob")];
  writeFileSync(temporary, "bytes");
  mkdirSync(path);
  const moved: string[] = [];
  const naming = nameBlobFile(temporary, path, join(dir, "absent", "aside"), () => void moved.push(path));
  const error: unknown = await naming.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(BlobsUnavailableError);
  expect(String(error)).toContain(`${path} is a directory in the place of a blob: move it away (ENOENT: `);
  expect([existsSync(path), readFileSync(temporary, "utf8"), moved]).toEqual([true, "bytes", []]);
});
