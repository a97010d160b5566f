import { systemClock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import { digestOf, ociClient } from "@elastic/test/cluster/oci-client.ts";
import { type Registry, startRegistry } from "@elastic/test/cluster/registry.ts";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Deployment } from "../../domain/deployment.ts";
import type { RegistryImage } from "../../domain/registry-image.ts";
import { aBuild, aDeployment } from "../../domain/testing/records.ts";
import { createMetrics } from "../../metrics/metrics.ts";
import { create, remove } from "../../store/change.ts";
import { type MemoryKv, memoryKv } from "../../store/memory/memory-kv.ts";
import { openStore } from "../../store/open/open-store.ts";
import { readAll } from "../../store/read-all.ts";
import type { Store } from "../../store/store.ts";
import { authorityBundle, registryAuthorities } from "../authority.ts";
import { type OwnRegistry, openOwnRegistry } from "../own-registry.ts";
import { digestResolver } from "../resolve-digest.ts";
import { retainingResolver } from "./retaining-resolver.ts";
import { type SweepImagesOptions, sweepImages } from "./sweep-images.ts";
import { startSweepingImages } from "./sweep-images-loop.ts";

const SECRETS = { keyIds: () => ["k"], derive: (_use: string, bytes: number) => [Buffer.alloc(bytes, 7)] };
const SERVICE = "elastic-registry";
const ISSUER = "elastic";
const INDEX_TYPE = "application/vnd.oci.image.index.v1+json";
const START = 1_800_000_000_000;
const GRACE = 7 * 24 * 3_600_000;
const log = createLog({ name: "test", level: "silent" });

let registry: Registry;
let own: OwnRegistry;
let kv: MemoryKv;
let store: Store;
/** Of each test, so that it finds its images alone. */
let team: string;
let now: number;
let teams = 0;

beforeAll(async () => {
  registry = await startRegistry();
  const certificates = authorityBundle(registryAuthorities(SECRETS));
  await registry.demandTokens({ realm: "http://127.0.0.1:1/", service: SERVICE, issuer: ISSUER, certificates });
  const address = { host: registry.host, base: `http://${registry.host}` };
  own = openOwnRegistry({ address, service: SERVICE, issuer: ISSUER }, SECRETS, systemClock);
});
beforeEach(async () => {
  kv = memoryKv();
  store = await openStore({ kv, clock: systemClock, log });
  teams += 1;
  team = newId(teams);
  now = START;
});
afterEach(async () => {
  await store.close();
  await kv.close();
});
afterAll(() => registry[Symbol.asyncDispose]());

function options(): Omit<SweepImagesOptions, "mayDelete" | "onDeleted"> {
  return { registry: own, kv, store, shellImages: [], graceMs: GRACE, clock: { now: () => now }, log };
}

/** Images of earlier tests are swept too: no record of this test's store refers to them. */
function sweep(given: Partial<SweepImagesOptions> = {}) {
  return sweepImages({ ...options(), mayDelete: () => true, onDeleted: () => undefined, ...given });
}

function client(name: string) {
  const access = [{ type: "repository", name: `${team}/${name}`, actions: ["pull", "push"] }] as const;
  return ociClient(registry.host, own.issueToken("test", access).text);
}

async function pushImage(name: string, tag: string, layer = `${team} ${tag}`): Promise<string> {
  return await client(name).pushImage(`${team}/${name}`, tag, layer);
}

/** Its status: 200 or 404. */
async function pull(name: string, digest: string): Promise<number> {
  return (await client(name).request("GET", `${team}/${name}/manifests/${digest}`, undefined, ANY_TYPE)).status;
}
const ANY_TYPE = { accept: `${INDEX_TYPE}, application/vnd.oci.image.manifest.v1+json` };

async function pushIndex(name: string, tag: string, digests: readonly string[]): Promise<string> {
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const parts = await Promise.all(
    digests.map(async (digest, n) => {
      const { text } = await client(name).request("GET", `${team}/${name}/manifests/${digest}`);
      const platform = { os: "linux", architecture: ["amd64", "arm64"][n] };
      return { mediaType, digest, size: Buffer.byteLength(text), platform };
    }),
  );
  const index = JSON.stringify({ schemaVersion: 2, mediaType: INDEX_TYPE, manifests: parts });
  const path = `${team}/${name}/manifests/${tag}`;
  const { status, headers } = await client(name).request("PUT", path, index, { "content-type": INDEX_TYPE });
  expect(status).toBe(201);
  return headers.get("docker-content-digest") ?? "";
}

async function deploy(name: string, digest: string): Promise<Deployment> {
  const image = `${registry.host}/${team}/${name}@${digest}`;
  const deployment = aDeployment({ serviceId: newId(1), id: newId(Date.now()), teamId: team, image });
  await store.commit([create("deployments", deployment)]);
  return deployment;
}

async function undeploy({ id }: Deployment): Promise<void> {
  const read = await store.get("deployments", id);
  if (read !== null) await store.commit([remove("deployments", read)]);
}

/** What is known of this test's images, by digest. */
async function records() {
  const found = new Map<string, RegistryImage>();
  for await (const image of readAll(kv, "registry-images")) {
    if (image.repository.startsWith(team)) found.set(image.digest, image);
  }
  return found;
}

/** All are known and unused from then on. */
async function lookFirst(): Promise<void> {
  expect((await sweep()).deleted).toBe(0);
  now += GRACE;
}

test("deletes what nothing has used for the grace, and the registry's garbage collection frees its room", async () => {
  const used = await pushImage("prover", "used");
  const unused = await pushImage("prover", "unused", "x".repeat(100_000));
  await deploy("prover", used);
  await lookFirst();
  now -= 1;
  await sweep();
  expect(await pull("prover", unused)).toBe(200);
  now += 1;
  const { bytes } = await sweep();
  expect(bytes).toBeGreaterThan(100_000);
  expect([await pull("prover", used), await pull("prover", unused)]).toEqual([200, 404]);
  expect([...(await records()).keys()]).toEqual([used]);

  const before = registry.storedBytes();
  await registry.collectGarbage();
  expect(before - registry.storedBytes()).toBeGreaterThan(100_000);
  expect(await pull("prover", used)).toBe(200);
  const layer = await client("prover").request("GET", `${team}/prover/blobs/${digestOf(`${team} used`)}`);
  expect(layer.text).toBe(`${team} used`);
});

test("finds an image that has lost its tag, once the deployment is gone that it was retained for", async () => {
  const first = await pushImage("prover", "latest", "first");
  const deployment = await deploy("prover", first);
  await lookFirst();
  await pushImage("prover", "latest", "second");
  await sweep();
  expect(await pull("prover", first)).toBe(200);
  await undeploy(deployment);
  await sweep();
  now += GRACE;
  await sweep();
  expect(await pull("prover", first)).toBe(404);
});

test("retains an index with all its parts while it is deployed, and deletes all of it afterwards", async () => {
  const parts = [await pushImage("prover", "amd64"), await pushImage("prover", "arm64")];
  const index = await pushIndex("prover", "all", parts);
  const deployment = await deploy("prover", index);
  await lookFirst();
  await sweep();
  const statuses = async () => await Promise.all([index, ...parts].map((digest) => pull("prover", digest)));
  expect(await statuses()).toEqual([200, 200, 200]);
  await undeploy(deployment);
  await sweep();
  now += GRACE;
  await sweep();
  expect(await statuses()).toEqual([404, 404, 404]);
  expect((await records()).size).toBe(0);
});

test("retains base images of the site, and what the settings offer for shells", async () => {
  const access = [{ type: "repository", name: "library/base", actions: ["pull", "push"] }] as const;
  const site = ociClient(registry.host, own.issueToken("test", access).text);
  await site.pushImage("library/base", "1", "base");
  const shell = await pushImage("shell", "v1");
  const shellImages = [`${registry.host}/${team}/shell:v1`];
  await sweep({ shellImages });
  now += GRACE;
  await sweep({ shellImages });
  expect((await site.request("GET", "library/base/manifests/1")).status).toBe(200);
  expect(await pull("shell", shell)).toBe(200);
});

test("leaves the repository alone while a build may push to it", async () => {
  const digest = await pushImage("prover", "v1");
  await lookFirst();
  const build = aBuild({ repository: `${registry.host}/${team}/prover` });
  await store.commit([create("builds", build)]);
  await sweep();
  expect(await pull("prover", digest)).toBe(200);
});

function resolver() {
  const resolve = digestResolver({ registries: [], own, builtins: [] });
  return retainingResolver({ resolve, registry: own, store, clock: { now: () => now } });
}

/** Does something before or after the claim of an image of this test is committed. */
function around(when: "before" | "after", act: () => Promise<unknown>): Pick<Store, "commit"> {
  let isDone = false;
  return {
    commit: async (changes) => {
      const isClaim = changes.some(
        (change) => change.kind === "write" && change.id.startsWith(team) && "claimedAt" in change.value,
      );
      const acts = isClaim && !isDone;
      isDone ||= isClaim;
      if (acts && when === "before") await act();
      const outcome = await store.commit(changes);
      if (acts && when === "after") await act();
      return outcome;
    },
  };
}

test("does not delete an image that is resolved for a deployment between the look and the deletion", async () => {
  const digest = await pushImage("prover", "v1");
  await lookFirst();
  const image = `${registry.host}/${team}/prover:v1`;
  const racing = around("before", async () => {
    expect(await resolver()(image, team)).toMatchObject({ kind: "resolved" });
  });
  await sweep({ store: racing });
  expect(await pull("prover", digest)).toBe(200);
  // Its grace began again.
  now += GRACE - 1;
  await sweep();
  expect(await pull("prover", digest)).toBe(200);
});

test("refuses to resolve an image that is being deleted, and one that is deleted", async () => {
  const digest = await pushImage("prover", "v1");
  await lookFirst();
  const image = `${registry.host}/${team}/prover@${digest}`;
  const refusal = { kind: "refused", code: "image_not_found" };
  const racing = around("after", async () => expect(await resolver()(image, team)).toMatchObject(refusal));
  await sweep({ store: racing });
  expect(await pull("prover", digest)).toBe(404);
  expect(await resolver()(image, team)).toMatchObject(refusal);
});

test("does not delete an image that a record refers to since the look, and releases it", async () => {
  const digest = await pushImage("prover", "v1");
  await lookFirst();
  await sweep({ store: around("after", () => deploy("prover", digest)) });
  expect(await pull("prover", digest)).toBe(200);
  expect((await records()).get(digest)).not.toHaveProperty("claimedAt");
});

test("deletes nothing in a repository to which something was pushed since the look", async () => {
  const part = await pushImage("prover", "v1");
  await lookFirst();
  await sweep({ store: around("after", () => pushIndex("prover", "index", [part])) });
  expect(await pull("prover", part)).toBe(200);
});

test("stops before the next deletion where it no longer leads, and releases what it claimed", async () => {
  const digest = await pushImage("prover", "v1");
  await lookFirst();
  let isLeading = true;
  const store = around("after", async () => {
    isLeading = false;
  });
  expect((await sweep({ store, mayDelete: () => isLeading })).deleted).toBe(0);
  expect(await pull("prover", digest)).toBe(200);
  expect((await records()).get(digest)).not.toHaveProperty("claimedAt");
});

test("finishes what a process that died had claimed", async () => {
  const digest = await pushImage("prover", "v1");
  await lookFirst();
  const dies = around("after", () => Promise.reject(new Error("killed")));
  await expect(sweep({ store: { commit: dies.commit }, mayDelete: () => true })).rejects.toThrow("killed");
  now += 3_600_000;
  await sweep();
  expect(await pull("prover", digest)).toBe(404);
});

test("reports a registry that deletes nothing, and leaves the records as they were", async () => {
  const digest = await pushImage("prover", "v1");
  await lookFirst();
  await registry.setDeletes(false);
  expect(await sweep()).toEqual({ deleted: 0, bytes: 0, isUnsupported: true });
  expect((await records()).get(digest)).not.toHaveProperty("claimedAt");

  const metrics = createMetrics();
  const lines: string[] = [];
  let turns = 0;
  const loop = startSweepingImages({
    ...options(),
    isLeading: () => true,
    metrics: metrics.images,
    loops: {
      turned: () => (turns += 1),
      started: (_loop, isActive) => ({ check: isActive, stop: () => undefined }),
    },
    log: pino({ level: "warn" }, { write: (line) => void lines.push(line) }),
  });
  const turn = async () => {
    const before = turns;
    loop.wake();
    await expect.poll(() => turns).toBe(before + 1);
  };
  const metricOf = async (name: string) => (await metrics.registry.getSingleMetric(name)?.get())?.values[0]?.value;
  await turn();
  await turn();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("storage.delete.enabled");
  expect(await metricOf("elastic_registry_deletions_refused")).toBe(1);
  await registry.setDeletes(true);
  await turn();
  await loop.stop();
  expect(await pull("prover", digest)).toBe(404);
  expect(await metricOf("elastic_registry_deletions_refused")).toBe(0);
  expect(await metricOf("elastic_registry_images_deleted_total")).toBeGreaterThan(0);
});
