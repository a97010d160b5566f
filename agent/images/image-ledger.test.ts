import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLog } from "@elastic/std/log.ts";
import { afterAll, expect, test } from "vitest";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { type ImageLedger, openImageLedger } from "./image-ledger.ts";

afterAll(removeTemporaryFolders);

const gone = async (): Promise<void> => undefined;

async function opened(file = join(temporaryFolder(), "images.json")) {
  let now = 0;
  const clock = { now: () => ++now, monotonicMs: () => 0 } as never;
  const ledger = await openImageLedger({ file, clock, log: createLog({ name: "test", level: "silent" }) });
  return { ledger, file };
}

const namesOf = (ledger: ImageLedger) => ledger.evictable(gone).map(({ name, usedAtMs }) => [name, usedAtMs]);

test("offers nothing before it is known what is assigned, and then what is not", async () => {
  const { ledger } = await opened();
  await ledger.fetching("a");
  await ledger.fetching("b");
  expect(namesOf(ledger)).toEqual([]);
  ledger.want(new Set(["a", "present-before-the-agent"]));
  expect(namesOf(ledger)).toEqual([["image b", 2]]);
});

test("counts an image as used until it is assigned no longer", async () => {
  const { ledger } = await opened();
  for (const image of ["a", "b"]) await ledger.fetching(image);
  ledger.want(new Set(["a", "b"]));
  ledger.want(new Set(["a"]));
  ledger.want(new Set());
  expect(namesOf(ledger)).toEqual([
    ["image a", 4],
    ["image b", 3],
  ]);
});

test("keeps what it knows over a restart", async () => {
  const { ledger, file } = await opened();
  await ledger.fetching("a");
  const { ledger: next } = await opened(file);
  next.want(new Set());
  expect(namesOf(next)).toEqual([["image a", 1]]);
  const [first] = next.evictable(gone);
  await first?.evict();
  await expect
    .poll(async () => {
      const { ledger: third } = await opened(file);
      third.want(new Set());
      return namesOf(third);
    })
    .toEqual([]);
});

test("evicts nothing that was assigned meanwhile", async () => {
  const { ledger } = await opened();
  await ledger.fetching("a");
  ledger.want(new Set());
  const [offered] = ledger.evictable(gone);
  ledger.want(new Set(["a"]));
  await expect(offered?.evict()).rejects.toThrow("it is assigned to this node");
});

test("whoever looks for an image waits until its eviction has ended", async () => {
  const { ledger } = await opened();
  await ledger.fetching("a");
  ledger.want(new Set());
  const removed = Promise.withResolvers<void>();
  const order: string[] = [];
  const [offered] = ledger.evictable(() => removed.promise);
  const evicting = offered?.evict().then(() => order.push("evicted"));
  ledger.want(new Set(["a"]));
  const settled = ledger.whenSettled("a").then(() => order.push("settled"));
  removed.resolve();
  await Promise.all([evicting, settled]);
  expect(order.sort()).toEqual(["evicted", "settled"]);
  expect(namesOf(ledger)).toEqual([]);
});

test("begins again where its file is damaged", async () => {
  const file = join(temporaryFolder(), "images.json");
  writeFileSync(file, "{");
  const { ledger } = await opened(file);
  ledger.want(new Set());
  expect(namesOf(ledger)).toEqual([]);
});
