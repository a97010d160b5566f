import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BlobStore, BlobsFullError } from "../blobs/blob-store.ts";
import { openFileBlobs } from "../blobs/file-blobs.ts";
import type { Service } from "../domain/service.ts";
import { type HttpServer, startHttp } from "./server.ts";
import { call } from "./testing/call.ts";
import { addReadyService, type HttpFixture, startHttpFixture } from "./testing/http-fixture.ts";

/** What fits, and what does not, on a disk of this size. */
const DISK_BYTES = 1024 * 1024;
const FITS = 64 * 1024;
const TOO_MUCH = 2 * DISK_BYTES;

let api: HttpFixture;
let service: Service;
const servers: HttpServer[] = [];

beforeAll(async () => {
  api = await startHttpFixture();
  service = await addReadyService(api.store, api.own);
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  await api.close();
});

async function started(blobs: BlobStore): Promise<HttpServer> {
  const server = await startHttp({ ...api.options, blobs });
  servers.push(server);
  return server;
}

async function startWith(blobs: BlobStore) {
  return senderTo(await started(blobs));
}

function senderTo(server: HttpServer) {
  return async (path: string, method: string, body: string | Buffer<ArrayBuffer>) => {
    const type = typeof body === "string" ? "application/json" : "application/octet-stream";
    const headers = { "content-type": type };
    return await call(`${server.url}/v1${path}`, { key: api.own.key, method, body, headers });
  };
}

function file(bytes: number) {
  const body = Buffer.from(randomBytes(bytes));
  return { body, path: `/volumes/files/${createHash("sha256").update(body).digest("hex")}` };
}

test("what finds no room is refused with 507, whatever is sent", async () => {
  const full = () => Promise.reject(new BlobsFullError("the disk is full"));
  const send = await startWith({ ...api.blobs, put: full });
  const before = (await call(`${api.url}/v1/tasks`, { key: api.own.key })).json.total;
  const text = JSON.stringify({ input: "x".repeat(FITS) });
  const { body, path } = file(FITS);
  const responses = [
    await send(path, "PUT", body),
    await send("/uploads", "POST", text),
    await send(`/services/${service.id}`, "POST", text),
  ];
  for (const { status, json } of responses) expect([status, json.code]).toEqual([507, "storage_full"]);
  expect((await call(`${api.url}/v1/tasks`, { key: api.own.key })).json.total).toBe(before);
});

test("files and uploads leave the space that is reserved for tasks, and an input in a body still finds some", async () => {
  const dir = mkdtempSync(join(tmpdir(), "reserve-"));
  const reserveBytes = Number.MAX_SAFE_INTEGER;
  const send = await startWith(await openFileBlobs({ dir, storeId: "s", reserveBytes }));
  const text = JSON.stringify({ input: "x".repeat(FITS) });
  const { body, path } = file(FITS);
  for (const { status, json } of [await send(path, "PUT", body), await send("/uploads", "POST", text)]) {
    expect([status, json.code]).toEqual([507, "storage_full"]);
  }
  expect((await send(`/services/${service.id}`, "POST", text)).status).toBe(201);
  expect(readdirSync(join(dir, "tmp"))).toEqual([]);
  rmSync(dir, { recursive: true });
});

test("on a disk that fills nothing half is left, and what fits is taken again", async ({ skip }) => {
  if (process.getuid?.() !== 0) skip("a small disk is mounted by root only");
  const dir = mkdtempSync(join(tmpdir(), "full-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_BYTES}`, "tmpfs", dir]);
  try {
    mkdirSync(join(dir, "blobs"));
    const send = await startWith(await openFileBlobs({ dir: join(dir, "blobs"), storeId: "s" }));
    for (const round of [1, 2]) {
      const large = file(TOO_MUCH);
      const refused = await send(large.path, "PUT", large.body);
      expect([round, refused.status, refused.json.code]).toEqual([round, 507, "storage_full"]);
      expect(readdirSync(join(dir, "blobs", "tmp"))).toEqual([]);
      const small = file(FITS);
      expect((await send(small.path, "PUT", small.body)).status).toBe(200);
    }
    expect(readdirSync(join(dir, "blobs", "data", api.own.teamId))).toHaveLength(2);
  } finally {
    execFileSync("umount", [dir]);
    rmdirSync(dir);
  }
});

test("is unready, and responds with 503, while its directory is read-only or another store's", async ({ skip }) => {
  if (process.getuid?.() !== 0) skip("a disk is mounted by root only");
  const dir = mkdtempSync(join(tmpdir(), "read-only-"));
  execFileSync("mount", ["-t", "tmpfs", "tmpfs", dir]);
  try {
    const server = await started(await openFileBlobs({ dir, storeId: "own" }));
    const [send, ready] = [senderTo(server), () => call(`${server.url}/readyz`)];
    const { body, path } = file(FITS);
    expect((await ready()).status).toBe(200);

    execFileSync("mount", ["-o", "remount,ro", dir]);
    const refused = await send(path, "PUT", body);
    expect([refused.status, refused.json.code]).toEqual([503, "blobs_unavailable"]);
    expect((await ready()).json).toMatchObject({
      code: "unready",
      errors: [{ pointer: "blobs", detail: expect.stringContaining("cannot be written: EROFS") }],
    });

    execFileSync("mount", ["-o", "remount,rw", dir]);
    expect([(await ready()).status, (await send(path, "PUT", body)).status]).toEqual([200, 200]);

    writeFileSync(join(dir, "store-id"), "other\n");
    const { errors } = (await ready()).json;
    expect(errors).toEqual([{ pointer: "blobs", detail: expect.stringContaining("belongs to another installation") }]);
  } finally {
    execFileSync("umount", [dir]);
    rmdirSync(dir);
  }
});
