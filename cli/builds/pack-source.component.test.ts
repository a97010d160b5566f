import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { gunzipSync } from "node:zlib";
import tar from "tar-fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { packSource } from "./pack-source.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "source-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, content = ""): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

async function packed() {
  const { signal } = new AbortController();
  await using source = await packSource(folder, signal);
  const bytes = readFileSync(source.file);
  const names: string[] = [];
  const out = mkdtempSync(join(tmpdir(), "unpacked-"));
  const options: tar.ExtractOptions & { readonly validateSymlinks: boolean } = {
    validateSymlinks: false,
    map: (header) => {
      names.push(header.name);
      return header;
    },
  };
  await pipeline(Readable.from([gunzipSync(bytes)]), tar.extract(out, options));
  rmSync(out, { recursive: true });
  const { parts, files } = source;
  return { bytes, parts, files, names: names.filter((name) => name !== ".").sort() };
}

test("leaves out what .dockerignore, .gitignore and Git itself name, and keeps the build file", async () => {
  for (const path of [
    "Dockerfile",
    "src/main.rs",
    "target/debug/x",
    ".git/config",
    ".elastic.json",
    "secret.env",
    "docs/a.md",
    "sub/included.log",
  ])
    write(path);
  write("sub/.gitignore", "!included.log\nlocal\n");
  write("sub/local/x");
  write("a.log");
  write(".dockerignore", "docs\nDockerfile\n");
  write(".gitignore", "/target\n*.env\n*.log\n");
  const { names, files } = await packed();
  expect(names).toEqual([
    ".dockerignore",
    ".gitignore",
    "Dockerfile",
    "src",
    "src/main.rs",
    "sub",
    "sub/.gitignore",
    "sub/included.log",
  ]);
  expect(files).toBe(6);
});

test("gives the same bytes for the same files, whenever and by whom they were written", async () => {
  write("Dockerfile", "FROM scratch");
  write("b/c", "x");
  const before = await packed();
  utimesSync(join(folder, "b/c"), 1, 1);
  chmodSync(join(folder, "b/c"), 0o600);
  const after = await packed();
  expect(after.bytes.equals(before.bytes)).toBe(true);
  write("b/c", "y");
  expect((await packed()).bytes.equals(before.bytes)).toBe(false);
});

test("cuts the archive into parts by their digests", async () => {
  writeFileSync(
    join(folder, "random"),
    Buffer.concat(Array.from({ length: 600 }, (_, at) => createHash("sha512").update(`${at}`).digest())),
  );
  const big = Buffer.alloc(20 * 1024 * 1024);
  for (let at = 0; at < big.length; at += 64) createHash("sha512").update(`${at}`).digest().copy(big, at);
  writeFileSync(join(folder, "big"), big);
  const { bytes, parts } = await packed();
  expect(parts.length).toBeGreaterThan(2);
  for (const { offset, bytes: length, sha256 } of parts) {
    expect(
      createHash("sha256")
        .update(bytes.subarray(offset, offset + length))
        .digest("hex"),
    ).toBe(sha256);
  }
  expect(parts.reduce((sum, part) => sum + part.bytes, 0)).toBe(bytes.length);
});

test("sends symbolic links as links", async () => {
  write("Dockerfile");
  symlinkSync("/etc/passwd", join(folder, "link"));
  const { names, bytes } = await packed();
  expect(names).toContain("link");
  expect(gunzipSync(bytes).includes("root:")).toBe(false);
});
