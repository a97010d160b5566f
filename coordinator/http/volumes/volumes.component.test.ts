import { createHash } from "node:crypto";
import { newId } from "@elastic/std/ids.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { volumeFiles } from "../../blobs/volume-manifests.ts";
import type { View } from "../../store/store.ts";
import { startHttp } from "../server.ts";
import { type CallResponse, call, callRaw } from "../testing/call.ts";
import { deployService } from "../testing/deploy-service.ts";
import { type HttpFixture, startHttpFixture, type Tenant } from "../testing/http-fixture.ts";

interface FileGiven {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

let api: HttpFixture;

beforeAll(async () => {
  api = await startHttpFixture();
});
afterAll(() => api.close());

function send(method: string, path: string, body?: object, who: Tenant = api.own): Promise<CallResponse> {
  const options = body === undefined ? {} : { body: JSON.stringify(body) };
  return call(`${api.url}/v1/volumes${path}`, { key: who.key, method, ...options });
}

function fileOf(path: string, text: string): FileGiven {
  return { path, sha256: createHash("sha256").update(text).digest("hex"), bytes: Buffer.byteLength(text) };
}

function put(text: string, sha256 = fileOf("", text).sha256, who: Tenant = api.own): Promise<CallResponse> {
  const headers = { "content-type": "application/octet-stream" };
  return call(`${api.url}/v1/volumes/files/${sha256}`, {
    key: who.key,
    method: "PUT",
    body: Buffer.from(text),
    headers,
  });
}

async function upload(
  name: string,
  files: Readonly<Record<string, string>>,
  who: Tenant = api.own,
): Promise<CallResponse> {
  for (const text of Object.values(files)) await put(text, undefined, who);
  const list = Object.entries(files).map(([path, text]) => fileOf(path, text));
  return send("POST", "", { name, files: list }, who);
}

describe("a volume", () => {
  test("is made of files that were sent before, and is listed and read back with them", async () => {
    const { status, json, headers } = await upload("keys", { "srs/k20.bin": "twenty", "a.key": "key" });
    expect(status).toBe(201);
    expect(json).toMatchObject({ name: "keys", file_count: 2, bytes: 9, last_deployed: null });
    expect(headers.get("location")).toBe(`${api.url}/v1/volumes/${json.volume_id}`);
    const read = await send("GET", `/${json.volume_id}`);
    expect(read.json).toEqual({ ...json, files: [fileOf("a.key", "key"), fileOf("srs/k20.bin", "twenty")] });
    expect((await send("GET", "")).json.items).toContainEqual(json);
  });

  test("of the same files under the same name is the same, and under another name is another", async () => {
    const first = await upload("same", { a: "1", b: "2" });
    const again = await upload("same", { b: "2", a: "1" });
    expect([again.status, again.json.volume_id]).toEqual([200, first.json.volume_id]);
    const other = await upload("other", { a: "1", b: "2" });
    expect([other.status, other.json.sha256]).toEqual([201, first.json.sha256]);
    expect(other.json.volume_id).not.toBe(first.json.volume_id);
  });

  test("of files that are not there says which ones to send", async () => {
    await put("here");
    const files = [fileOf("here", "here"), fileOf("there", "not sent"), fileOf("nowhere", "nor this")];
    const response = await send("POST", "", { name: "v", files });
    expect([response.status, response.json.code]).toEqual([409, "files_missing"]);
    expect(response.json.errors.map(({ pointer }) => pointer).sort()).toEqual(["#/files/1", "#/files/2"]);
  });

  test("is not made of another team's files, though their digests are known", async () => {
    await put("theirs", undefined, api.other);
    const response = await send("POST", "", { name: "v", files: [fileOf("x", "theirs")] });
    expect([response.status, response.json.code]).toEqual([409, "files_missing"]);
  });

  test("has clean paths, sizes that are so, and stays within bounds", async () => {
    await put("x");
    const x = fileOf("x", "x");
    const wrong: readonly (readonly [object, string])[] = [
      [{ files: [] }, "#/files"],
      [{ files: Array.from({ length: 1001 }, (_, n) => ({ ...x, path: `f${n}` })) }, "#/files"],
      [{ files: [{ ...x, bytes: 2 }] }, "#/files/0/bytes"],
      [{ files: [{ ...x, bytes: 65 * 2 ** 30 }] }, "#/files/0/bytes"],
      [
        {
          files: [
            { ...x, bytes: 33 * 2 ** 30 },
            { ...x, path: "y", bytes: 33 * 2 ** 30 },
          ],
        },
        "#/files",
      ],
      [{ files: [{ ...x, sha256: "X".repeat(64) }] }, "#/files/0/sha256"],
      [{ files: [x, x] }, "#/files"],
      [{ files: [x, { ...x, path: "x/y" }] }, "#/files"],
      [{ name: "../up" }, "#/name"],
      [{ extra: 1 }, "#/extra"],
      ...["", "/etc/passwd", "../up", "a/../b", "a//b", "./a", "a/", "a\\b", "a\u0000b", "a\nb", "x".repeat(256)].map(
        (path) => [{ files: [{ ...x, path }] }, "#/files/0/path"] as const,
      ),
      [{ files: [{ ...x, path: `${"d/".repeat(40)}f` }] }, "#/files/0/path"],
    ];
    for (const [body, pointer] of wrong) {
      const response = await send("POST", "", { name: "v", files: [x], ...body });
      expect([body, response.status, response.json.errors?.[0]?.pointer]).toEqual([body, 422, pointer]);
    }
  });

  test("takes a thousand files with long paths", async () => {
    await put("x");
    const files = Array.from({ length: 1000 }, (_, n) => ({ ...fileOf("x", "x"), path: `${"d".repeat(200)}/${n}` }));
    expect((await send("POST", "", { name: "many", files })).json).toMatchObject({ file_count: 1000, bytes: 1000 });
  });
});

describe("a file", () => {
  test("is refused under a digest that it does not have, however it is sent", async () => {
    const wrong = await put("other bytes", "0".repeat(64));
    expect([wrong.status, wrong.json.code]).toEqual([422, "digest_mismatch"]);
    for (const digest of ["x", "A".repeat(64), "0".repeat(63), "..%2f..%2fetc"]) {
      expect([digest, (await put("x", digest)).status]).toEqual([digest, 422]);
    }
  });

  test("may be sent twice, empty too", async () => {
    for (const text of ["twice", "twice", ""]) {
      expect((await put(text)).json).toEqual({ sha256: fileOf("", text).sha256, bytes: text.length });
    }
  });

  test("that its head says is too large is refused before it is read", async () => {
    const head = [
      `PUT /v1/volumes/files/${"0".repeat(64)} HTTP/1.1`,
      ...["host: x", `x-api-key: ${api.own.key}`, "connection: close"],
      `content-length: ${65 * 2 ** 30}`,
    ];
    const { status, json } = await callRaw(api.url, `${head.join("\r\n")}\r\n\r\n`);
    expect([status, json.code]).toEqual([413, "body_too_large"]);
  });
});

describe("a volume that is deployed", () => {
  test("is named by the deployment, and cannot be deleted before that is over", async () => {
    const volume = (await upload("deployed", { a: "deployed" })).json;
    const { serviceId, json } = await deployService(api, { volume_id: volume.volume_id });
    expect(json).toMatchObject({ volume_id: volume.volume_id });
    const read = JSON.parse((await send("GET", `/${volume.volume_id}`)).text);
    expect(read).toMatchObject({
      last_deployed: expect.stringMatching(/^\d{4}-/),
      services: [{ service_id: serviceId }],
    });
    expect(JSON.parse((await send("GET", "")).text).items).toContainEqual(
      expect.objectContaining({ services: read.services }),
    );
    const refused = await send("DELETE", `/${volume.volume_id}`);
    expect([refused.status, refused.json.code]).toEqual([409, "volume_in_use"]);
    await call(`${api.url}/v1/services/${serviceId}`, { key: api.own.key, method: "DELETE" });
    expect((await send("DELETE", `/${volume.volume_id}`)).status).toBe(204);
    expect((await send("GET", `/${volume.volume_id}`)).status).toBe(404);
    expect((await deployService(api, { volume_id: volume.volume_id })).json.errors[0]?.pointer).toBe("#/volume_id");
  });

  test("cannot be another team's, or one that does not exist, and no builtin prover takes one", async () => {
    const theirs = (await upload("theirs", { a: "theirs too" }, api.other)).json.volume_id;
    const details = new Set<string>();
    for (const volumeId of [theirs, newId(Date.now()), "x", ""]) {
      const { status, json } = await deployService(api, { volume_id: volumeId });
      expect([volumeId, status, json.errors[0]?.pointer]).toEqual([volumeId, 422, "#/volume_id"]);
      details.add(json.errors[0]?.detail ?? "");
    }
    expect(details.size).toBe(1);
    const own = (await upload("own", { a: "own" })).json.volume_id;
    const builtin = await deployService(api, { volume_id: own }, "builtin:noop");
    expect(builtin.json.errors).toEqual([{ pointer: "#/volume_id", detail: "a builtin prover reads no files" }]);
  });

  test("is either deleted or deployed when both are requested at once", async () => {
    for (let round = 0; round < 20; round++) {
      const { volume_id: id } = (await upload(`race-${round}`, { a: `race ${round}` })).json;
      const [deployed, deleted] = await Promise.all([deployService(api, { volume_id: id }), send("DELETE", `/${id}`)]);
      expect([[201, 409].join(), [422, 204].join()]).toContain([deployed.status, deleted.status].join());
    }
  });
});

test("a coordinator whose view does not know of a deployment yet cannot delete its volume", async () => {
  const { volume_id: id } = (await upload("behind", { a: "behind" })).json;
  const { view } = api.store;
  const [volume, services] = [view.volumes.get(id), [...view.services.values()]];
  await deployService(api, { volume_id: id });
  const behind = Object.create(view, {
    volumes: { value: { get: () => volume, subscribe: view.volumes.subscribe.bind(view.volumes) } },
    services: { value: { values: () => services, subscribe: view.services.subscribe.bind(view.services) } },
    // A class's own parts are not seen through an object that only inherits from it.
    ageMs: { value: () => 0 },
    revision: { value: () => view.revision() },
  }) as View;
  const methods = { get: api.store.get.bind(api.store), commit: api.store.commit.bind(api.store) };
  const server = await startHttp({ ...api.options, store: { ...api.store, ...methods, view: behind } });
  const refused = await call(`${server.url}/v1/volumes/${id}`, { key: api.own.key, method: "DELETE" });
  expect([refused.status, refused.json.code]).toEqual([503, "overloaded"]);
  expect((await send("GET", `/${id}`)).status).toBe(200);
  await server.stop();
});

test("every blob of a volume is named to the sweep, its list included, and a list that is gone stops it", async () => {
  const { volume_id: id, sha256 } = (await upload("swept", { a: "first", b: "second" })).json;
  const volume = await api.store.get("volumes", id);
  if (volume === null) throw new Error("no such volume");
  const named = async (manifestSha256: string) => {
    const found: string[] = [];
    async function* volumes() {
      yield { teamId: api.own.teamId, manifestSha256 };
    }
    for await (const file of volumeFiles(volumes(), api.blobs)) found.push(file.sha256);
    return found;
  };
  expect(await named(volume.value.manifestSha256)).toEqual([
    sha256,
    fileOf("a", "first").sha256,
    fileOf("b", "second").sha256,
  ]);
  await expect(named("0".repeat(64))).rejects.toThrow("is gone");
});

test("files that no volume names count, also while they come and of a volume that was deleted", async () => {
  const unreferencedUploads = { bytes: 1_000, files: 100 };
  const server = await startHttp({ ...api.options, config: { ...api.options.config, unreferencedUploads } });
  const at = { key: api.own.key, headers: { "content-type": "application/octet-stream" } };
  const sent = async (text: string) => {
    const path = `/v1/volumes/files/${fileOf("", text).sha256}`;
    const { status, json } = await call(server.url + path, { ...at, method: "PUT", body: Buffer.from(text) });
    return status === 200 ? status : json.code;
  };
  const [first, second] = ["1".repeat(600), "2".repeat(600)];
  expect([await sent("0".repeat(1_001)), await sent(first), await sent(second)]).toEqual([
    "quota_exceeded",
    200,
    "quota_exceeded",
  ]);
  const body = JSON.stringify({ name: "named", files: [fileOf("a", first)] });
  const { json: volume } = await call(`${server.url}/v1/volumes`, { key: api.own.key, method: "POST", body });
  expect(await sent("3".repeat(600))).toBe(200);
  await call(`${server.url}/v1/volumes/${volume.volume_id}`, { key: api.own.key, method: "DELETE" });
  expect(await sent("4".repeat(10))).toBe("quota_exceeded");
  await server.stop();
});
