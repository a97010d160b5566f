/** Builds of pushes and reports at their commits, against the stand-in for GitHub. */
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { sendJson } from "@elastic/test/login/http-host.ts";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Build, failed, identified, isOpen, newBuild, prepared } from "../domain/build.ts";
import { newRelease } from "../domain/release.ts";
import type { Service } from "../domain/service.ts";
import type { ServiceSource } from "../domain/service-source.ts";
import { aBuild } from "../domain/testing/records.ts";
import type { Versioned } from "../domain/versioned.ts";
import { type SourceFixture, startSourceFixture } from "../http/source-hosts/testing/source-fixture.ts";
import { create, replace } from "../store/change.ts";
import { buildPushed } from "./build-pushed.ts";
import { ReleaseReporter } from "./report-release.ts";

const log = createLog({ name: "test", level: "silent" });
let sources: SourceFixture;
let connectionId: string;
let source: ServiceSource;
let service: Service;

beforeAll(async () => {
  sources = await startSourceFixture();
  connectionId = await sources.connect();
});
beforeEach(async () => {
  source = await sources.addSource(connectionId);
  service = (await read("services", source.id)).value as Service;
});
afterEach(() => sources.github.faults.clear());
afterAll(() => sources[Symbol.asyncDispose]());

async function read(kind: "services" | "builds", id: string): Promise<Versioned<Service | Build>> {
  const found = await sources.api.store.get(kind, id);
  if (found === null) throw new Error(`no ${kind} ${id}`);
  return found;
}

const commitOf = (digit: string) => digit.repeat(40);

interface More {
  readonly host?: string | null;
  readonly openBuildsMax?: number;
}

async function push(digit: string, deliveryId: string, { host = "registry.example", ...more }: More = {}) {
  const registry = host === null ? null : { host };
  const onPush = buildPushed({ store: sources.api.store, registry, clock: systemClock, log, ...more });
  await onPush({ service, source, commit: commitOf(digit), ref: "refs/heads/main", deliveryId });
}

const own = () => [...sources.api.store.view.builds.values()].filter(({ value }) => value.serviceId === service.id);

/** By the commit that was pushed, what becomes of each build. */
function builds(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    own().map(({ value: { state, release } }) => [release?.push?.commit[0], `${state.kind} ${release?.state.kind}`]),
  );
}

/** As if its head had been read. */
async function identify(digit: string): Promise<void> {
  const read = own().find(({ value }) => value.release?.push?.commit === commitOf(digit));
  if (read?.value.origin == null) throw new Error("no build");
  const origin = { ...read.value.origin, commit: commitOf(digit), title: "Title" };
  const source = { kind: "archive", sha256: "a".repeat(64), bytes: 1 } as const;
  const after = prepared(identified(read.value, origin, "identity"), source, 1);
  await sources.api.store.commit([replace("builds", read, after)]);
  await expect.poll(() => builds()[digit]).toBe("queued waiting");
}

test("a push takes the place of those whose head was not read yet, and leaves those that are built", async () => {
  await push("1", "first");
  await expect.poll(builds).toEqual({ 1: "preparing waiting" });
  await push("2", "second");
  await expect.poll(builds).toEqual({ 1: "cancelled superseded", 2: "preparing waiting" });
  await identify("2");
  await push("3", "third");
  await expect.poll(builds).toEqual({ 1: "cancelled superseded", 2: "queued waiting", 3: "preparing waiting" });
});

test("a delivery that comes again, or another one of the commit that is built, starts nothing", async () => {
  await push("2", "second");
  await expect.poll(builds).toEqual({ 2: "preparing waiting" });
  await push("2", "second");
  expect(builds()).toEqual({ 2: "preparing waiting" });
  await identify("2");
  await push("2", "another");
  expect(own()).toHaveLength(1);
});

test("a push beyond the team's open builds is a build that failed for it, until one of them ends", async () => {
  const open = [...sources.api.store.view.builds.values()].filter(
    ({ value }) => value.teamId === service.teamId && isOpen(value),
  );
  await push("1", "first", { openBuildsMax: open.length });
  await expect.poll(builds).toEqual({ 1: "failed waiting" });
  await push("2", "second", { openBuildsMax: open.length + 1 });
  await expect.poll(builds).toEqual({ 1: "failed waiting", 2: "preparing waiting" });
});

test("nothing is built where there is no registry for the image", async () => {
  await push("1", "first", { host: null });
  expect(builds()).toEqual({});
});

/** A build of the head of the repository, failed. */
async function failedBuild(): Promise<Versioned<Build>> {
  const commit = sources.repository.branches.get("main") ?? "";
  const origin = { from: source, ref: null, commit, title: "Title" };
  const made = aBuild({ serviceId: service.id, teamId: service.teamId, createdAt: Date.now() });
  const begun = newBuild({ ...made, origin, release: newRelease({ deliveryId: "1", commit }) });
  const release = { ...newRelease(null), state: { kind: "failed", deploymentId: null, message: "no luck" } as const };
  const build = { ...failed(begun, { reason: "build_failed", message: "", line: null }, Date.now()), release };
  await sources.api.store.commit([create("builds", build)]);
  return (await read("builds", build.id)) as Versioned<Build>;
}

function reporter(): { readonly reporter: ReleaseReporter; tick(ms: number): void } {
  let now = 0;
  const clock = { monotonicMs: () => now };
  const { store } = sources.api;
  const made = new ReleaseReporter({ store, access: sources.access, publicUrl: "https://elastic.example", clock, log });
  return { reporter: made, tick: (ms) => (now += ms) };
}

const statuses = (sha: string | null | undefined) => sources.repository.statuses.filter((one) => one.sha === sha);

test("reports once how a release ended, with a link to its build", async () => {
  const build = await failedBuild();
  const { reporter: one } = reporter();
  const before = statuses(build.value.origin?.commit).length;
  expect(one.isDue(build.value, Date.now())).toBe(true);
  await one.report(build);
  const after = (await read("builds", build.value.id)) as Versioned<Build>;
  expect([after.value.release?.reported, one.isDue(after.value, Date.now())]).toEqual(["failure", false]);
  expect(statuses(build.value.origin?.commit).slice(before)).toMatchObject([
    {
      state: "failure",
      context: `elastic/${service.name}-${service.id.slice(-8)}`,
      target_url: `https://elastic.example/services/${service.id}/builds/${build.value.id}`,
    },
  ]);
});

test("reports again, ever more rarely, while the source host is down", async () => {
  const build = await failedBuild();
  const { reporter: one, tick } = reporter();
  const path = `/api/v3/repos/${sources.repository.fullName}/statuses/${build.value.origin?.commit}`;
  sources.github.faults.set(path, (_, response) => sendJson(response, 503, { message: "down" }));
  for (const waitMs of [1_000, 2_000, 4_000]) {
    await one.report(build);
    tick(waitMs - 1);
    expect(one.isDue(build.value, Date.now())).toBe(false);
    tick(1);
    expect(one.isDue(build.value, Date.now())).toBe(true);
  }
  sources.github.faults.clear();
  await one.report(build);
  expect(((await read("builds", build.value.id)) as Versioned<Build>).value.release?.reported).toBe("failure");
});

test("no longer reports what the source host refuses for good", async () => {
  const build = await failedBuild();
  const { reporter: one, tick } = reporter();
  const connection = await sources.api.store.get("source-connections", connectionId);
  if (connection === null) throw new Error("no connection");
  const revoked = { ...connection.value, state: { kind: "uninstalled", at: 1 } as const };
  await sources.api.store.commit([replace("source-connections", connection, revoked)]);
  await one.report(build);
  tick(3_600_000);
  expect(one.isDue(build.value, Date.now())).toBe(false);
});
