/** Inputs and results whose blobs were damaged or removed after they were acknowledged. */
import { createHash } from "node:crypto";
import { truncateSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { createLog } from "@elastic/std/log.ts";
import { makeWorkFolder } from "@elastic/test/cluster/work-folder.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { BlobStore } from "../../blobs/blob-store.ts";
import { openFileBlobs } from "../../blobs/file-blobs.ts";
import { VERIFIED_FIRST_BYTES_MAX, verifiedBlobs } from "../../blobs/verified-blobs.ts";
import type { Service } from "../../domain/service.ts";
import { call } from "../testing/call.ts";
import { addReadyService, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";
import { claimTask, succeedTask } from "../testing/run-task.ts";

const FEW = 9_000;
const MANY = 2 * VERIFIED_FIRST_BYTES_MAX;
const cut = (path: string) => truncateSync(path, 100);

const folder = makeWorkFolder();
const found: string[] = [];
let blobs: BlobStore;
let api: HttpFixture;
let service: Service;

beforeAll(async () => {
  const files = await openFileBlobs({ dir: folder.path, storeId: "s" });
  blobs = verifiedBlobs(files, ({ sha256 }) => found.push(sha256));
  api = await startHttpFixture(createLog({ name: "test", level: "silent" }), { blobs });
  service = await addReadyService(api.store, api.own);
});
beforeEach(() => found.splice(0));
afterAll(async () => {
  await api.close();
  folder[Symbol.dispose]();
});

const get = (path: string) => call(api.url + path, { key: api.own.key });
const digestOf = (text: string) => createHash("sha256").update(text).digest("hex");

function fileOf(text: string): string {
  return join(folder.path, "data", api.own.teamId, digestOf(text));
}

/** A task that has ended with success. */
async function proven(input: string, result: string): Promise<string> {
  const body = `{"input":${input}}`;
  const { json } = await call(`${api.url}/v1/services/${service.id}`, { key: api.own.key, body });
  await claimTask(api, json.task_id);
  await succeedTask({ store: api.store, blobs }, json.task_id, result);
  return json.task_id;
}

test.each([
  ["damaged", FEW, cut],
  ["missing", FEW, unlinkSync],
  ["damaged", MANY, cut],
  ["missing", MANY, unlinkSync],
])("shows the end of a task whose result is %s, of %i bytes, without the result", async (_, bytes, damage) => {
  const result = "r".repeat(bytes);
  const taskId = await proven("1", result);
  damage(fileOf(result));
  for (const query of ["", "?wait=1"]) {
    found.splice(0);
    const { status, json } = await get(`/v1/tasks/${taskId}${query}`);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      state: "SUCCESS",
      input: "1",
      result: null,
      result_bytes: bytes,
      result_omitted: true,
      result_expired: false,
      result_url: expect.stringContaining(`/v1/tasks/${taskId}/result?`),
    });
    expect(found).toEqual([digestOf(result)]);
  }
});

test.each([
  ["damaged", 1_000, cut],
  ["missing", 1_000, unlinkSync],
  ["missing", FEW, unlinkSync],
])("rejects a task of a %s upload of %i bytes with 422, until the upload is sent again", async (_, bytes, damage) => {
  const input = JSON.stringify("u".repeat(bytes - 2));
  const upload = async () => {
    const { json } = await call(`${api.url}/v1/uploads`, { key: api.own.key, body: input });
    return (json as unknown as { readonly upload_id: string }).upload_id;
  };
  const create = async (input_upload_id: string) =>
    await call(`${api.url}/v1/services/${service.id}`, { key: api.own.key, body: JSON.stringify({ input_upload_id }) });
  const uploadId = await upload();
  damage(fileOf(input));
  const { status, json } = await create(uploadId);
  expect([status, json.code, json.errors[0]?.pointer]).toEqual([422, "upload_not_found", "#/input_upload_id"]);
  expect(found).toEqual([digestOf(input)]);
  expect((await create(await upload())).status).toBe(201);
});

test.each([
  ["damaged", FEW, cut],
  ["missing", FEW, unlinkSync],
  ["missing", MANY, unlinkSync],
])("rejects a request for a %s result of %i bytes with 502, and reports the blob", async (_, bytes, damage) => {
  const result = "s".repeat(bytes);
  const taskId = await proven("1", result);
  damage(fileOf(result));
  const { status, json } = await get(`/v1/tasks/${taskId}/result`);
  expect([status, json.code]).toEqual([502, "result_corrupt"]);
  expect(found).toEqual([digestOf(result)]);
});

test.each([
  ["damaged", FEW, cut],
  ["missing", FEW, unlinkSync],
  ["damaged", MANY, cut],
  ["missing", MANY, unlinkSync],
])("shows the result of a task whose input is %s, of %i bytes, without the input", async (_, bytes, damage) => {
  const input = JSON.stringify("i".repeat(bytes));
  const taskId = await proven(input, "proof");
  damage(fileOf(input));
  const { status, json } = await get(`/v1/tasks/${taskId}`);
  expect([status, json.state, json.input, json.result]).toEqual([200, "SUCCESS", null, "proof"]);
});
