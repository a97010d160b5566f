/** Parts of a build's source that were damaged or removed after they were sent. */
import { createHash } from "node:crypto";
import { truncateSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { createLog } from "@elastic/std/log.ts";
import { makeWorkFolder } from "@elastic/test/cluster/work-folder.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openFileBlobs } from "../../blobs/file-blobs.ts";
import { VERIFIED_FIRST_BYTES_MAX, verifiedBlobs } from "../../blobs/verified-blobs.ts";
import type { Service } from "../../domain/service.ts";
import { remove } from "../../store/change.ts";
import { call } from "../testing/call.ts";
import { addReadyService, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";

const folder = makeWorkFolder();
const found: string[] = [];
let api: HttpFixture;
let service: Service;

beforeAll(async () => {
  const files = await openFileBlobs({ dir: folder.path, storeId: "s" });
  const blobs = verifiedBlobs(files, ({ sha256 }) => found.push(sha256));
  api = await startHttpFixture(createLog({ name: "test", level: "silent" }), { blobs });
  service = await addReadyService(api.store, api.own);
});
afterAll(async () => {
  await api.close();
  folder[Symbol.dispose]();
});

const digestOf = (text: string) => createHash("sha256").update(text).digest("hex");
const fileOf = (text: string) => join(folder.path, "data", api.own.teamId, digestOf(text));

async function send(text: string): Promise<void> {
  const headers = { "content-type": "application/octet-stream" };
  const options = { key: api.own.key, method: "PUT", body: text, headers };
  expect((await call(`${api.url}/v1/volumes/files/${digestOf(text)}`, options)).status).toBeLessThan(300);
}

async function build(parts: readonly string[]) {
  const source = { parts: parts.map((text) => ({ sha256: digestOf(text), bytes: text.length })) };
  const path = `${api.url}/v1/services/${service.id}/builds`;
  return await call(path, { key: api.own.key, body: JSON.stringify({ source, no_cache: true }) });
}

test.each([9_000, 2 * VERIFIED_FIRST_BYTES_MAX])(
  "rejects a build whose source has a damaged part of %i bytes with 502, until that part is sent again",
  async (bytes) => {
    const parts = ["a".repeat(bytes), "b".repeat(bytes), "c".repeat(bytes)];
    const [, damaged = ""] = parts;
    for (const part of parts) await send(part);
    // As long as it was, so that only its digest can show it.
    truncateSync(fileOf(damaged), 100);
    truncateSync(fileOf(damaged), bytes);
    found.splice(0);
    const { status, json } = await build(parts);
    expect([status, json.code, json.errors.map(({ pointer }) => pointer)]).toEqual([
      502,
      "source_corrupt",
      ["#/source/parts/1"],
    ]);
    expect(found).toEqual([digestOf(damaged)]);
    expect([...api.store.view.builds.of(api.own.teamId)]).toEqual([]);
    await send(damaged);
    const again = await build(parts);
    expect(again.status).toBe(202);
    const { build_id } = again.json as unknown as { readonly build_id: string };
    const made = await api.store.get("builds", build_id);
    await api.store.commit(made === null ? [] : [remove("builds", made)]);
  },
);

test("names a part that is missing as one to send", async () => {
  const parts = ["d".repeat(9_000), "e".repeat(9_000)];
  for (const part of parts) await send(part);
  unlinkSync(fileOf(parts[0] ?? ""));
  const { status, json } = await build(parts);
  expect([status, json.code, json.errors[0]?.pointer]).toEqual([409, "files_missing", "#/source/parts/0"]);
});
