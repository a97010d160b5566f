import { readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { removeTemporaryFolders, temporaryFolder } from "../../testing/temporary-folder.ts";
import { type Archive, archiveOf, asArchive } from "../testing/archive.ts";
import type { ArchiveLimits } from "./archive-paths.ts";
import { unpackArchive } from "./unpack-archive.ts";

afterAll(removeTemporaryFolders);

async function unpack({ bytes }: Archive, limits?: ArchiveLimits, stripComponents = 0) {
  const folder = temporaryFolder();
  const archive = join(temporaryFolder(), "source.tar");
  writeFileSync(archive, bytes);
  const { signal } = new AbortController();
  const unpacked = await unpackArchive(archive, folder, { stripComponents, signal, ...(limits && { limits }) });
  return { folder, ...unpacked };
}

test.each([true, false])("unpacks files, modes and links, compressed: %s", async (gzip) => {
  const entries = [
    { name: "run.sh", mode: 0o4755, type: "file" as const },
    ["src/main.rs", "fn main() {}"] as const,
    { name: "link", type: "symlink" as const, linkname: "/etc/passwd" },
  ];
  const { folder, files } = await unpack(await archiveOf(entries as never, { gzip }));
  expect(files).toEqual(["run.sh", "src/main.rs"]);
  expect(readFileSync(join(folder, "src/main.rs"), "utf8")).toBe("fn main() {}");
  expect(statSync(join(folder, "run.sh")).mode & 0o7777).toBe(0o755);
  expect(readlinkSync(join(folder, "link"))).toBe("/etc/passwd");
});

test.each([
  ["what is no archive", asArchive(Buffer.from("this is not a tar archive, whatever its name says".repeat(40)))],
  ["a truncated one", asArchive(gzipSync(Buffer.alloc(4096)).subarray(0, 20))],
  ["an empty one", asArchive(gzipSync(Buffer.alloc(1024)))],
  ["nothing", asArchive(Buffer.alloc(0))],
])("rejects %s", async (_, archive) => {
  await expect(unpack(archive)).rejects.toMatchObject({ reason: "source_invalid" });
});

test("rejects one that ends within a file", async () => {
  const { bytes } = await archiveOf([["file", "x".repeat(10_000)]], { gzip: false });
  await expect(unpack(asArchive(bytes.subarray(0, 4_000)))).rejects.toMatchObject({ reason: "source_invalid" });
});

test("rejects a bomb before it is unpacked", async () => {
  const bomb = await archiveOf([["zeros", "\0".repeat(8 * 1024 * 1024)]]);
  expect(bomb.bytes.length).toBeLessThan(20_000);
  await expect(unpack(bomb, { entries: 10, bytes: 1024 * 1024 })).rejects.toMatchObject({ reason: "source_invalid" });
  // Not an archive's entries but what surrounds them.
  const padded = asArchive(gzipSync(Buffer.alloc(8 * 1024 * 1024)));
  await expect(unpack(padded, { entries: 10, bytes: 1024 * 1024 })).rejects.toMatchObject({ reason: "source_invalid" });
});

test("writes nothing through a link of the archive", async () => {
  const outside = temporaryFolder();
  const entries = [{ name: "out", type: "symlink" as const, linkname: outside }, ["out/file", "x"] as const];
  await expect(unpack(await archiveOf(entries as never))).rejects.toMatchObject({ reason: "source_invalid" });
  expect(readdirSync(outside)).toEqual([]);
});
