import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { aHeader } from "../testing/backups.ts";
import { newKeyPair } from "./age.ts";
import { BackupError } from "./backup-error.ts";
import { decryptLines, encryptLines } from "./encrypted-lines.ts";
import { type BackupHeader, FORMAT_VERSION } from "./header.ts";
import { type BackupItem, type BackupPage, writeLines } from "./lines.ts";

let keys: Awaited<ReturnType<typeof newKeyPair>>;

beforeAll(async () => {
  keys = await newKeyPair();
});

async function* pagesOf(pages: readonly BackupPage[]) {
  yield* pages;
}

async function fileOf(pages: readonly BackupPage[], header: BackupHeader = aHeader()): Promise<Buffer> {
  return await buffer(
    await encryptLines(
      writeLines(header, pagesOf(pages), () => undefined),
      keys.recipient,
    ),
  );
}

async function read(file: Uint8Array, identity = keys.identity): Promise<readonly BackupItem[]> {
  const items: BackupItem[] = [];
  for await (const item of decryptLines(Readable.from([Buffer.from(file)]), [identity])) items.push(item);
  return items;
}

const SMALL: readonly BackupPage[] = [
  {
    entries: [
      { key: "/elastic/v1/meta", value: Buffer.from('{"epoch":1}') },
      { key: "/elastic/v1/inputs/a", value: Buffer.from([0, 255, 10, 128]) },
    ],
    blobs: [{ teamId: "t", sha256: "s", bytes: 7 }],
  },
];

test("brings back what was written, in pages of any size", async () => {
  const entry = fc.record({
    key: fc.string(),
    value: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  });
  const blob = fc.record({ teamId: fc.string(), sha256: fc.string(), bytes: fc.option(fc.nat(), { nil: null }) });
  const page = fc.record({ entries: fc.array(entry, { maxLength: 20 }), blobs: fc.array(blob, { maxLength: 5 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(page, { maxLength: 5 }), async (pages) => {
      const items = await read(await fileOf(pages));
      expect(items[0]).toEqual({ kind: "header", header: aHeader() });
      const entries = items.flatMap((item) => (item.kind === "entry" ? [item.entry] : []));
      expect(entries).toEqual(pages.flatMap((one) => one.entries));
      expect(items.flatMap((item) => (item.kind === "blob" ? [item.blob] : []))).toEqual(
        pages.flatMap((one) => one.blobs),
      );
      expect(items.at(-1)).toMatchObject({ kind: "end", trailer: { entries: entries.length } });
    }),
    { numRuns: 30 },
  );
});

test("rejects a file that is cut at any byte", async () => {
  const file = await fileOf(SMALL);
  for (let length = 0; length < file.length; length++) {
    await expect(read(file.subarray(0, length)), `cut at ${length}`).rejects.toThrow(BackupError);
  }
});

test("rejects a file of which any byte is another", async () => {
  const file = await fileOf(SMALL);
  for (let at = 0; at < file.length; at++) {
    const changed = Buffer.from(file);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    await expect(read(changed), `changed at ${at}`).rejects.toThrow(BackupError);
  }
});

test("rejects a file of several chunks that ends with a complete chunk", async () => {
  const value = Buffer.from(
    Array.from({ length: 200_000 }, (_unused, index) => ((index * 7919) % 251) ^ ((index >> 3) % 256)),
  );
  const file = await fileOf([{ entries: [{ key: "k", value }], blobs: [] }]);
  const headerBytes = file.indexOf("\n", file.indexOf("---")) + 1 + 16;
  expect(file.length).toBeGreaterThan(headerBytes + 65_552);
  await expect(read(file.subarray(0, headerBytes + 65_552))).rejects.toThrow(/cut or damaged/);
});

test("rejects another key with what to do", async () => {
  const other = await newKeyPair();
  await expect(read(await fileOf(SMALL), other.identity)).rejects.toThrow(/encrypted to another key.*--identity/);
});

test("rejects a newer format with what to do, and what is no backup", async () => {
  const newer = { ...aHeader(), version: FORMAT_VERSION + 1 } as unknown as BackupHeader;
  await expect(read(await fileOf([], newer))).rejects.toThrow(
    /format version 2.*use the elastic-coordinator that wrote it/,
  );
  const other = { format: "another" } as unknown as BackupHeader;
  await expect(read(await fileOf([], other))).rejects.toThrow(/holds no backup/);
  await expect(read(Buffer.from("not encrypted at all\n".repeat(20)))).rejects.toThrow(BackupError);
});
