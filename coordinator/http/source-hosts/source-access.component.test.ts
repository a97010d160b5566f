/** What builds read at GitHub: commits, archives, statuses and new repositories, and every way in which GitHub fails. */
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { filesOf, type MemoryRepository } from "@elastic/test/github/memory-repository.ts";
import { FAULTS, sendJson } from "@elastic/test/login/http-host.ts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ServiceSource } from "../../domain/service-source.ts";
import { replace } from "../../store/change.ts";
import { ARCHIVE_FAULTS, DEADLINE_MS, jsonFaultsAt, LIMITS, NEW_FILES, STATUS } from "./testing/host-faults.ts";
import { ADA, type SourceFixture, startSourceFixture } from "./testing/source-fixture.ts";

const FILES = { Dockerfile: "FROM scratch\n", "src/main.rs": "fn main() {}\n" };

let sources: SourceFixture;
let repository: MemoryRepository;
let source: ServiceSource;
let connectionId: string;

beforeAll(async () => {
  sources = await startSourceFixture();
  repository = sources.github.app.addRepository({ owner: ADA.login, name: "built" }, filesOf(FILES));
  connectionId = await sources.connect([sources.repository, repository]);
  source = await sources.addSource(connectionId, { repository_id: String(repository.id) });
});
afterAll(() => sources[Symbol.asyncDispose]());
afterEach(() => sources.github.faults.clear());

const head = () => repository.branches.get("main") ?? "";

describe("a ref", () => {
  test("is resolved to the commit that it names, with title and author", async () => {
    const commit = { commit: head(), title: "Initial commit", author: "ada" };
    repository.tags.set("v1", head());
    for (const ref of [undefined, "main", "refs/heads/main", "refs/tags/v1", head()]) {
      expect(await sources.access.resolveCommit(source, ref)).toEqual(commit);
    }
  });

  test("that moves later changes nothing of what was resolved", async () => {
    const { commit } = await sources.access.resolveCommit(source);
    repository.commit("main", filesOf({ Dockerfile: "FROM evil\n" }), "Moved");
    const archive = await buffer(await sources.access.openArchive(source, commit, LIMITS));
    const text = gunzipSync(archive).toString();
    expect([text.includes("FROM scratch"), text.includes("FROM evil")]).toEqual([true, false]);
  });

  test("is no pull request, and no commit that is on another branch or in a fork alone", async () => {
    const fork = sources.github.app.addRepository({ owner: "mallory", name: "built", forkOf: repository });
    const foreign = fork.commit("main", filesOf({ Dockerfile: "FROM evil\n" }), "Evil");
    const elsewhere = repository.commit("other", filesOf(FILES), "Other");
    repository.branches.set("pull/1/merge", foreign.sha);
    for (const [ref, code] of [
      [foreign.sha, "ref_unknown"],
      [elsewhere.sha, "ref_unknown"],
      ["absent", "ref_unknown"],
      ["refs/pull/1/head", "ref_invalid"],
      ["../../user", "ref_invalid"],
    ] as const) {
      await expect(sources.access.resolveCommit(source, ref)).rejects.toMatchObject({ code });
    }
  });
});

describe("a repository", () => {
  test("is found under its new name, and another one of its old name is not taken for it", async () => {
    const renamed = sources.github.app.addRepository({ owner: ADA.login, name: "before" }, filesOf(FILES));
    await sources.connect([sources.repository, repository, renamed]);
    const of = await sources.addSource(connectionId, { repository_id: String(renamed.id) });
    renamed.name = "after";
    const impostor = sources.github.app.addRepository({ owner: ADA.login, name: "before" }, filesOf({ evil: "" }));
    const { commit } = await sources.access.resolveCommit(of);
    expect([commit === renamed.branches.get("main"), commit === impostor.branches.get("main")]).toEqual([true, false]);
  });

  test("that was deleted, or left the installation without an event, is not built", async () => {
    const { app } = sources.github;
    const gone = app.addRepository({ owner: ADA.login, name: "gone" }, filesOf(FILES));
    await sources.connect([sources.repository, repository, gone]);
    const of = await sources.addSource(connectionId, { repository_id: String(gone.id) });
    const [installation] = app.installations.values();
    installation?.repositoryIds.delete(gone.id);
    await expect(sources.access.resolveCommit(of)).rejects.toMatchObject({ code: "repository_gone" });
    app.tokens.clear();
    await expect(sources.access.resolveCommit(of)).rejects.toMatchObject({ code: "repository_gone" });
  });

  test("of another installation or connection is not read, whatever the record of the service says", async () => {
    const other = sources.github.app.addRepository({ owner: "victim", name: "secret" }, filesOf(FILES));
    const victim = sources.github.app.install({ id: 99, login: "victim", type: "User" }, [other.id]);
    const forged = { ...source, repositoryId: String(other.id) };
    await expect(sources.access.resolveCommit(forged)).rejects.toMatchObject({ code: "repository_not_linked" });
    const elsewhere = { ...forged, installationId: String(victim.id) };
    await expect(sources.access.resolveCommit(elsewhere)).rejects.toMatchObject({ code: "revoked" });
    const theirs = { ...source, teamId: sources.api.other.teamId };
    await expect(sources.access.resolveCommit(theirs)).rejects.toMatchObject({ code: "revoked" });
    // Also where the connection's own record were wrong.
    const ref = { installationId: source.installationId, repositoryId: String(other.id), credential: null };
    await expect(sources.host.readRepository(ref)).rejects.toMatchObject({ code: "repository_gone" });
  });
});

describe("an archive", () => {
  test("of more bytes than a build accepts is cut off", async () => {
    const limits = { ...LIMITS, bytesMax: 100 };
    const reading = sources.access.openArchive(source, head(), limits).then(buffer);
    await expect(reading).rejects.toMatchObject({ code: "archive_too_large" });
  });

  test.each<readonly [string, string]>([
    ["another host", "https://evil.example/archive"],
    ["another port", "http://127.0.0.1:1/archive"],
    ["no address", "http://"],
  ])("that GitHub leads to %s for is not fetched", async (_, location) => {
    sources.github.faults.set(`/api/v3/repos/ada/built/tarball/${head()}`, (_request, response) => {
      response.writeHead(302, { location }).end();
    });
    const opening = sources.access.openArchive(source, head(), LIMITS);
    await expect(opening).rejects.toMatchObject({ code: "host_invalid" });
  });

  test.each(ARCHIVE_FAULTS)("of a host that is %s fails with %s", async (fault, code) => {
    sources.github.faults.set("/_codeload/ada/built/legacy.tar.gz", FAULTS[fault]);
    const reading = sources.access.openArchive(source, head(), { ...LIMITS, deadlineMs: 700 }).then(buffer);
    await expect(reading).rejects.toMatchObject({ code });
  });
});

describe("GitHub", () => {
  const PATHS = ["/api/v3/installation/repositories", "/api/v3/repos/ada/built/commits/heads/main"];

  test.each(jsonFaultsAt(PATHS))("at %s, %s, is %s", async (path, fault, code) => {
    sources.github.faults.set(path, FAULTS[fault]);
    await expect(sources.access.resolveCommit(source)).rejects.toMatchObject({ code });
  });

  test.each(PATHS)("that does not respond at %s is down", async (path) => {
    sources.github.faults.set(path, FAULTS.silent);
    const resolving = sources.accessWithin(DEADLINE_MS).resolveCommit(source);
    await expect(resolving).rejects.toMatchObject({ code: "host_down" });
  });

  test("that lists another repository than the requested one is not believed", async () => {
    const other = { id: 1, full_name: "victim/secret", private: true, fork: false, default_branch: "main" };
    sources.github.faults.set(PATHS[0] ?? "", (_request, response) => {
      sendJson(response, 200, { total_count: 1, repositories: [other] });
    });
    await expect(sources.access.resolveCommit(source)).rejects.toMatchObject({ code: "repository_gone" });
  });

  test("that limits requests is down for now, and the connection stays", async () => {
    sources.github.faults.set(PATHS[0] ?? "", (_request, response) => {
      response.setHeader("x-ratelimit-remaining", "0");
      sendJson(response, 403, { message: "API rate limit exceeded" });
    });
    await expect(sources.access.resolveCommit(source)).rejects.toMatchObject({ code: "host_down" });
    expect((await sources.api.store.get("source-connections", connectionId))?.value.state.kind).toBe("active");
  });

  test("that no longer accepts a token gets one request for another", async () => {
    await sources.access.resolveCommit(source);
    sources.github.app.tokens.clear();
    expect((await sources.access.resolveCommit(source)).commit).toBe(head());
  });

  test("that rejects the app's own token says nothing of the connection", async () => {
    sources.github.app.tokens.clear();
    const [installation] = sources.github.app.installations.values();
    sources.github.faults.set(`/api/v3/app/installations/${installation?.id}/access_tokens`, (_request, response) => {
      sendJson(response, 401, { message: "A JSON web token could not be decoded" });
    });
    await expect(sources.access.resolveCommit(source)).rejects.toMatchObject({ code: "app_rejected" });
    expect((await sources.api.store.get("source-connections", connectionId))?.value.state.kind).toBe("active");
  });
});

describe("a new repository", () => {
  const createAs = (name: string, userId = sources.api.own.userId) =>
    sources.access.createRepository(connectionId, userId, { name, files: NEW_FILES });

  test("is private, has the files and nothing else, and is one of the connection's from then on", async () => {
    await sources.connect([sources.repository, repository]);
    const made = await createAs("first-prover");
    const there = sources.github.app.repositories.get(Number(made.id));
    const commit = there?.find("heads/main");
    expect([made.fullName, there?.isPrivate]).toEqual(["ada/first-prover", true]);
    expect([...(commit?.files ?? [])]).toEqual(
      NEW_FILES.map(({ path, content, isExecutable }) => [path, { content, isExecutable }]),
    );
    const built = await sources.addSource(connectionId, { repository_id: made.id });
    expect((await sources.access.resolveCommit(built)).commit).toBe(commit?.sha);
    // The authorization is used up.
    await expect(createAs("second-prover")).rejects.toMatchObject({ code: "authorization_needed" });
  });

  test("is created by the user who has just authorized it, and for some minutes", async () => {
    await sources.connect([sources.repository, repository]);
    await expect(createAs("theirs", sources.api.other.userId)).rejects.toMatchObject({ code: "authorization_needed" });
    const grant = await sources.api.store.get("source-grants", connectionId);
    if (grant === null) throw new Error("no grant");
    await sources.api.store.commit([replace("source-grants", grant, { ...grant.value, expiresAt: Date.now() })]);
    await expect(createAs("late")).rejects.toMatchObject({ code: "authorization_needed" });
    sources.github.userTokens.clear();
    await sources.connect([sources.repository, repository]);
    sources.github.userTokens.clear();
    await expect(createAs("revoked")).rejects.toMatchObject({ code: "authorization_needed" });
  });

  test("is an organization's where the connection is", async () => {
    const { app } = sources.github;
    app.organizations.set("studio", { id: 500, members: new Set([ADA.login]) });
    const tools = app.addRepository({ owner: "studio", name: "tools" }, filesOf(FILES));
    const { id } = app.install({ id: 500, login: "studio", type: "Organization" }, [tools.id]);
    const browser = await sources.newBrowser();
    const back = sources.installFrom(await sources.begin(browser), [sources.repository, repository]);
    back.searchParams.set("installation_id", String(id));
    const { connection_id: ofStudio = "" } = await sources.finish(browser, back);
    const { userId } = sources.api.own;
    const made = await sources.access.createRepository(ofStudio, userId, { name: "studio-prover", files: NEW_FILES });
    expect([made.fullName, made.isPrivate]).toEqual(["studio/studio-prover", true]);
  });

  test("is not created in the user's account where the connection is to that of another user", async () => {
    const { app } = sources.github;
    const shared = app.addRepository({ owner: "grace", name: "shared" }, filesOf(FILES));
    shared.writers.add(ADA.login);
    const { id } = app.install({ id: 88, login: "grace", type: "User" }, [shared.id]);
    const browser = await sources.newBrowser();
    const back = sources.installFrom(await sources.begin(browser), [sources.repository, repository]);
    back.searchParams.set("installation_id", String(id));
    const { connection_id: ofGrace = "" } = await sources.finish(browser, back);
    const wanted = { name: "misplaced", files: NEW_FILES };
    const creating = sources.access.createRepository(ofGrace, sources.api.own.userId, wanted);
    await expect(creating).rejects.toMatchObject({ code: "no_permission" });
    expect(app.find(ADA.login, "misplaced")).toBeNull();
  });

  test("of a name that is taken or not valid, and one without permission, is refused and can be tried again", async () => {
    const id = await sources.connect([sources.repository, repository]);
    expect(id).toBe(connectionId);
    await expect(createAs("built")).rejects.toMatchObject({ code: "name_taken" });
    await expect(createAs("../user")).rejects.toMatchObject({ code: "name_invalid" });
    sources.github.faults.set("/api/v3/user/repos", (_request, response) => {
      sendJson(response, 403, { message: "Resource not accessible by integration" });
    });
    await expect(createAs("third")).rejects.toMatchObject({ code: "no_permission" });
    sources.github.faults.clear();
    sources.github.app.addsCreated = false;
    await expect(createAs("third")).rejects.toMatchObject({ code: "repository_not_added" });
    sources.github.app.addsCreated = true;
  });
});

test("a commit's status is set at the commit", async () => {
  await sources.access.setCommitStatus(source, head(), STATUS);
  expect(repository.statuses).toEqual([{ sha: head(), state: "failure", context: "c", target_url: STATUS.targetUrl }]);
});

test("an app that was uninstalled without an event ends the connection at the next build", async () => {
  const { app } = sources.github;
  const [installation] = app.installations.values();
  app.webhookUrl = null;
  if (installation !== undefined) await app.uninstall(installation);
  await expect(sources.access.resolveCommit(source)).rejects.toMatchObject({ code: "revoked" });
  expect((await sources.api.store.get("source-connections", connectionId))?.value.state.kind).toBe("uninstalled");
});
