/** How builds come by their source, against the stand-in for GitHub, and how each failure of a source host ends one. */
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { systemClock } from "@elastic/std/clock.ts";
import { filesOf } from "@elastic/test/github/memory-repository.ts";
import { sendJson } from "@elastic/test/login/http-host.ts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { BlobsFullError } from "../blobs/blob-store.ts";
import { type Build, cancelled, newBuild, SOURCE_BYTES_MAX, succeeded } from "../domain/build.ts";
import { newRelease } from "../domain/release.ts";
import { deleted } from "../domain/service.ts";
import type { ServiceSource } from "../domain/service-source.ts";
import { aBuild } from "../domain/testing/records.ts";
import { type SourceFixture, startSourceFixture } from "../http/source-hosts/testing/source-fixture.ts";
import { create, replace } from "../store/change.ts";
import { type PrepareOptions, prepareBuild } from "./prepare-build.ts";

let sources: SourceFixture;
let source: ServiceSource;

beforeAll(async () => {
  sources = await startSourceFixture();
  source = await sources.addSource(await sources.connect());
});
afterEach(() => sources.github.faults.clear());
afterAll(() => sources[Symbol.asyncDispose]());

function options(more: Partial<PrepareOptions> = {}): PrepareOptions {
  const { store, blobs } = sources.api;
  return {
    ...{ store, blobs, access: sources.access, titleOf: () => "GitHub", clock: systemClock },
    resolveImage: async (image) => ({ kind: "resolved", image, tag: null }),
    ...more,
  };
}

async function begun(origin: Partial<NonNullable<Build["origin"]>> = {}, more: Partial<Build> = {}): Promise<Build> {
  const made = aBuild({ serviceId: source.id, teamId: source.teamId, createdAt: Date.now() });
  const from = { from: source, ref: null, commit: null, title: null, ...origin };
  const build = newBuild({ ...made, ...more, source: null, origin: from, identity: "" });
  await sources.api.store.commit([create("builds", build)]);
  return build;
}

async function prepared(build: Build, more?: Partial<PrepareOptions>): Promise<Build> {
  await prepareBuild(options(more), build.id);
  return (await sources.api.store.get("builds", build.id))?.value ?? build;
}

const head = () => sources.repository.branches.get("main") ?? "";
const moved = () => sources.repository.commit("main", filesOf({ Dockerfile: "FROM moved\n" }), "Moved");

test("reads the archive of the commit that the branch stands for, once", async () => {
  const commit = head();
  const build = await prepared(await begun());
  moved();
  expect(build).toMatchObject({
    state: { kind: "queued" },
    origin: { commit, title: "Initial commit" },
    source: { kind: "archive", stripComponents: 1 },
  });
  const opened = await sources.api.blobs.open(build.teamId, build.source?.sha256 ?? "");
  if (opened === null) throw new Error("no source");
  expect(gunzipSync(await buffer(opened.stream)).toString()).toContain("FROM scratch");
  expect(await prepared(build)).toEqual(build);
});

test("builds the requested commit, and not what was pushed since", async () => {
  const commit = moved().sha;
  moved();
  expect(await prepared(await begun({ ref: "refs/heads/main", commit }))).toMatchObject({
    state: { kind: "queued" },
    origin: { commit, title: "Moved" },
  });
});

const pushed = (deliveryId: string): Partial<Build> => ({
  release: newRelease({ deliveryId, commit: "f".repeat(40) }),
});

test("builds the head of the branch for a push, in place of earlier pushes, and once", async () => {
  const earlier = await prepared(await begun({ ref: "refs/heads/main" }, pushed("1")));
  expect(earlier.state.kind).toBe("queued");
  const commit = moved().sha;
  await expect.poll(() => sources.api.store.view.builds.get(earlier.id)?.value.state.kind).toBe("queued");
  const head = await prepared(await begun({ ref: "refs/heads/main" }, pushed("2")));
  expect(head).toMatchObject({ state: { kind: "queued" }, origin: { commit } });
  expect((await sources.api.store.get("builds", earlier.id))?.value).toMatchObject({
    state: { kind: "cancelled" },
    release: { state: { kind: "superseded" } },
  });
  await expect.poll(() => sources.api.store.view.builds.get(head.id)?.value.state.kind).toBe("queued");
  // The delivery of the earlier push, late.
  expect(await prepared(await begun({ ref: "refs/heads/main" }, pushed("3")))).toMatchObject({
    state: { kind: "cancelled" },
    release: { state: { kind: "superseded", message: expect.stringContaining(commit) } },
  });
  expect((await sources.api.store.get("builds", head.id))?.value.state.kind).toBe("queued");
});

test.each([
  ["refs/heads/nosuch", "nosuch"],
  ["f".repeat(40), "f".repeat(40)],
])("says of %s which repository does not have it", async (ref, name) => {
  const message = expect.stringContaining(`${name} is no branch, tag or commit of ada/prover`);
  expect((await prepared(await begun({ ref }))).state).toMatchObject({
    kind: "failed",
    failure: { reason: "source_unavailable", message },
  });
});

test("is cancelled where its service was deleted", async () => {
  const other = await sources.addSource(source.connectionId);
  const build = await begun({ from: other }, { serviceId: other.id });
  const service = await sources.api.store.get("services", other.id);
  if (service === null) throw new Error("no service");
  await sources.api.store.commit([replace("services", service, deleted(service.value, 1))]);
  expect((await prepared(build)).state.kind).toBe("cancelled");
});

test("has the image of an identical commit at once, unless it is to run every step", async () => {
  const first = await prepared(await begun());
  const read = await sources.api.store.get("builds", first.id);
  if (read === null) throw new Error("no build");
  const image = { digest: `sha256:${"d".repeat(64)}`, imageBytes: 1 };
  await sources.api.store.commit([replace("builds", read, succeeded(read.value, image, Date.now()))]);
  await expect.poll(() => sources.api.store.view.builds.get(first.id)?.value.state.kind).toBe("succeeded");
  expect(await prepared(await begun())).toMatchObject({ state: { kind: "succeeded" }, reusedFrom: first.id });
  const gone = await prepared(await begun(), {
    resolveImage: async () => ({ kind: "refused", code: "image_not_found", detail: "" }),
  });
  expect(gone.state.kind).toBe("queued");
});

test("stays cancelled where it was cancelled meanwhile", async () => {
  const build = await begun();
  const access: PrepareOptions["access"] = {
    resolveCommit: async (...args) => {
      const read = await sources.api.store.get("builds", build.id);
      if (read !== null) await sources.api.store.commit([replace("builds", read, cancelled(read.value, 1))]);
      return sources.access.resolveCommit(...args);
    },
    openArchive: (...args) => sources.access.openArchive(...args),
  };
  expect((await prepared(build, { access })).state.kind).toBe("cancelled");
});

const repositoryPath = () => `/api/v3/repos/${sources.repository.fullName}`;
const failing = (status: number) => (path: string) =>
  sources.github.faults.set(path, (_, response) => sendJson(response, status, { message: "no" }));

test.each([
  ["has no such branch", () => failing(404)(`${repositoryPath()}/commits/heads/main`), /branch, tag or commit/],
  [
    "responds with garbage",
    () => failing(200)(`${repositoryPath()}/commits/heads/main`),
    /did not respond as documented/,
  ],
])("fails in a sentence where the source host %s", async (_, breakIt, words) => {
  breakIt();
  const { state } = await prepared(await begun());
  expect(state).toMatchObject({ kind: "failed", failure: { reason: "source_unavailable", line: null } });
  if (state.kind === "failed") expect(state.failure.message).toMatch(words);
});

test("tries again while the source host is down, and fails after a minute", async () => {
  const build = await begun();
  failing(503)(`${repositoryPath()}/commits/heads/main`);
  await expect(prepareBuild(options(), build.id)).rejects.toMatchObject({ code: "host_down" });
  sources.github.faults.clear();
  expect((await prepared(build)).state.kind).toBe("succeeded");

  const unlucky = await begun();
  failing(503)(`${repositoryPath()}/commits/heads/main`);
  const { state } = await prepared(unlucky, { clock: { now: () => Date.now() + 61_000 } });
  expect(state).toMatchObject({
    kind: "failed",
    failure: { message: expect.stringMatching(/^GitHub does not respond/) },
  });
});

test("fails after a minute where there is no room for the source, and says so", async () => {
  moved();
  const full: PrepareOptions["blobs"] = { put: async () => Promise.reject(new BlobsFullError("full")) };
  const build = await begun();
  await expect(prepareBuild(options({ blobs: full }), build.id)).rejects.toThrow("full");
  const { state } = await prepared(build, { blobs: full, clock: { now: () => Date.now() + 61_000 } });
  expect(state).toMatchObject({
    kind: "failed",
    failure: { message: expect.stringMatching(/no room.*Ask an operator/) },
  });
});

test("fails where the archive is larger than a source may be", async () => {
  const access: PrepareOptions["access"] = {
    resolveCommit: (...args) => sources.access.resolveCommit(...args),
    openArchive: (from, commit, limits) => {
      expect(limits.bytesMax).toBe(SOURCE_BYTES_MAX);
      return sources.access.openArchive(from, commit, { ...limits, bytesMax: 10 });
    },
  };
  moved();
  expect((await prepared(await begun(), { access })).state).toMatchObject({
    kind: "failed",
    failure: { reason: "source_unavailable", message: expect.stringMatching(/larger than a build accepts/) },
  });
});

test("fails where the connection was removed in between", async () => {
  const connection = await sources.api.store.get("source-connections", source.connectionId);
  if (connection === null) throw new Error("no connection");
  const revoked = { ...connection.value, state: { kind: "uninstalled", at: 1 } as const };
  await sources.api.store.commit([replace("source-connections", connection, revoked)]);
  expect((await prepared(await begun())).state).toMatchObject({
    kind: "failed",
    failure: { reason: "source_unavailable", message: expect.stringMatching(/Connect the account again/) },
  });
});
