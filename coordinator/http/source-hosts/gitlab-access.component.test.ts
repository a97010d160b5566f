/** What builds read at GitLab: commits, archives, statuses and new projects, and every way in which GitLab fails. */
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { filesOf, type MemoryRepository } from "@elastic/test/github/memory-repository.ts";
import { FAULTS, sendJson } from "@elastic/test/login/http-host.ts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ServiceSource } from "../../domain/service-source.ts";
import { type GitlabFixture, startGitlabFixture } from "./testing/gitlab-fixture.ts";
import { ARCHIVE_FAULTS, DEADLINE_MS, jsonFaultsAt, LIMITS, NEW_FILES, STATUS } from "./testing/host-faults.ts";

let sources: GitlabFixture;
let project: MemoryRepository;
let source: ServiceSource;
let connectionId: string;

beforeAll(async () => {
  sources = await startGitlabFixture({ ELASTIC_SOURCE_GITLAB_COMMIT_STATUS: "on" });
  ({ project } = sources);
  connectionId = await sources.connect();
  source = await sources.addSource(connectionId);
});
afterAll(() => sources[Symbol.asyncDispose]());
afterEach(() => sources.gitlab.faults.clear());

const head = () => project.branches.get("main") ?? "";
const pathOf = (rest = "") => `/api/v4/projects/${project.id}${rest}`;

describe("a ref", () => {
  test("is resolved to the commit that it names, with title and author", async () => {
    const commit = { commit: head(), title: "Initial commit", author: "ada" };
    project.tags.set("v1/final", head());
    for (const ref of [undefined, "main", "refs/heads/main", "refs/tags/v1/final", head()]) {
      expect(await sources.access.resolveCommit(source, ref)).toEqual(commit);
    }
  });

  test("that is an earlier commit of the branch is resolved too", async () => {
    const earlier = head();
    project.commit("main", filesOf({ Dockerfile: "FROM moved\n" }), "Moved");
    expect((await sources.access.resolveCommit(source, earlier)).commit).toBe(earlier);
    expect((await sources.access.resolveCommit(source)).title).toBe("Moved");
  });

  test("is no merge request, and no commit that is on another branch or in a fork alone", async () => {
    const fork = sources.gitlab.server.addProject({ owner: "mallory", name: "prover", forkOf: project });
    // Both lead on from the branch, as most of them do.
    fork.branches.set("main", head());
    project.branches.set("other", head());
    const foreign = fork.commit("main", filesOf({ Dockerfile: "FROM evil\n" }), "Evil");
    const elsewhere = project.commit("other", filesOf({ Dockerfile: "" }), "Other");
    for (const [ref, code] of [
      [foreign.sha, "ref_unknown"],
      [elsewhere.sha, "ref_unknown"],
      ["absent", "ref_unknown"],
      ["refs/merge-requests/1/head", "ref_invalid"],
      ["../../user", "ref_invalid"],
    ] as const) {
      await expect(sources.access.resolveCommit(source, ref)).rejects.toMatchObject({ code });
    }
  });
});

describe("an archive", () => {
  test("has the files of the commit, in one folder", async () => {
    const commit = project.commit("main", filesOf({ "src/main.rs": "fn archived() {}\n" }), "Archived");
    const text = gunzipSync(await buffer(await sources.access.openArchive(source, commit.sha, LIMITS))).toString();
    expect([text.includes("/src/main.rs"), text.includes("fn archived")]).toEqual([true, true]);
    await expect(sources.access.openArchive(source, "0".repeat(40), LIMITS)).rejects.toMatchObject({
      code: "ref_unknown",
    });
  });

  test.each(ARCHIVE_FAULTS)("of a host that is %s fails with %s", async (fault, code) => {
    sources.gitlab.faults.set(pathOf("/repository/archive.tar.gz"), FAULTS[fault]);
    const reading = sources.access.openArchive(source, head(), { ...LIMITS, deadlineMs: 700 }).then(buffer);
    await expect(reading).rejects.toMatchObject({ code });
  });
});

describe("GitLab", () => {
  const PATHS = ["", "/repository/branches/main"];

  test.each(jsonFaultsAt(PATHS))("at the project's %s, %s, is %s", async (path, fault, code) => {
    sources.gitlab.faults.set(pathOf(path), FAULTS[fault]);
    await expect(sources.access.resolveCommit(source)).rejects.toMatchObject({ code });
  });

  test.each(PATHS)("that does not respond at the project's %s is down", async (path) => {
    sources.gitlab.faults.set(pathOf(path), FAULTS.silent);
    const resolving = sources.accessWithin(DEADLINE_MS).resolveCommit(source);
    await expect(resolving).rejects.toMatchObject({ code: "host_down" });
  });

  test("that limits requests is down for now, and the project stays open", async () => {
    sources.gitlab.faults.set(pathOf(), (_request, response) => sendJson(response, 429, { message: "429" }));
    await expect(sources.access.resolveCommit(source)).rejects.toMatchObject({ code: "host_down" });
    sources.gitlab.faults.clear();
    expect((await sources.access.resolveCommit(source)).commit).toBe(head());
  });

  test("that responds with another project than the requested one is not believed", async () => {
    sources.gitlab.faults.set(pathOf(), (_request, response) => {
      sendJson(response, 200, {
        id: 1,
        path_with_namespace: "victim/secret",
        default_branch: "main",
        visibility: "private",
      });
    });
    await expect(sources.access.resolveCommit(source)).rejects.toMatchObject({ code: "repository_gone" });
  });
});

describe("the status of a commit", () => {
  test("is set at the commit, and may be set again", async () => {
    await sources.access.setCommitStatus(source, head(), STATUS);
    await sources.access.setCommitStatus(source, head(), STATUS);
    expect(project.statuses).toEqual([{ sha: head(), state: "failed", context: "c", target_url: STATUS.targetUrl }]);
  });

  test("is not set where the operator keeps the tokens to reading", async () => {
    await using reading = await startGitlabFixture();
    const { project: its } = reading;
    await reading.access.setCommitStatus(
      await reading.addSource(await reading.connect()),
      its.branches.get("main") ?? "",
      STATUS,
    );
    expect(its.statuses).toEqual([]);
  });
});

describe("a new project", () => {
  const createAs = (name: string, userId = sources.api.own.userId) =>
    sources.access.createRepository(connectionId, userId, { name, files: NEW_FILES });

  test("is private, has the files in one commit, and is one of the connection's from then on", async () => {
    await sources.connect();
    const made = await createAs("first-prover");
    const there = sources.gitlab.server.projects.get(Number(made.id));
    if (there === undefined) throw new Error("no project");
    const commit = there.find("heads/main");
    expect([made.fullName, there.isPrivate, commit?.parents]).toEqual(["ada/first-prover", true, []]);
    expect([...(commit?.files ?? [])]).toEqual(
      NEW_FILES.map(({ path, content, isExecutable }) => [path, { content, isExecutable }]),
    );
    // The authorization is used up, and the project is open already.
    await expect(createAs("second-prover")).rejects.toMatchObject({ code: "authorization_needed" });
    const built = await sources.addSource(connectionId, there);
    expect((await sources.access.resolveCommit(built)).commit).toBe(commit?.sha);
  });

  test("is created by the user who has just authorized it", async () => {
    await sources.connect();
    await expect(createAs("theirs", sources.api.other.userId)).rejects.toMatchObject({ code: "authorization_needed" });
    sources.gitlab.userTokens.clear();
    await expect(createAs("revoked")).rejects.toMatchObject({ code: "authorization_needed" });
  });

  test("is not created without files, and one that got none is said to be there", async () => {
    await sources.connect();
    const creating = sources.access.createRepository(connectionId, sources.api.own.userId, { name: "bare", files: [] });
    await expect(creating).rejects.toMatchObject({ code: "template_missing" });
    expect([...sources.gitlab.server.projects.values()].map(({ name }) => name)).not.toContain("bare");
    const next = 1 + sources.gitlab.server.nextId();
    sources.gitlab.faults.set(`/api/v4/projects/${next}/repository/commits`, (_request, response) =>
      sendJson(response, 500, { message: "no" }),
    );
    await expect(createAs("half")).rejects.toMatchObject({ code: "repository_unfinished" });
  });

  test("of a name that is taken or not valid, and one without permission, is refused", async () => {
    await sources.connect();
    await expect(createAs("prover")).rejects.toMatchObject({ code: "name_taken" });
    await expect(createAs("../user")).rejects.toMatchObject({ code: "name_invalid" });
    await expect(createAs("prover.git")).rejects.toMatchObject({ code: "name_invalid" });
    for (const [status, message] of [
      [403, "403 Forbidden"],
      [400, { limit_reached: ["Your project limit is 0 projects!"] }],
    ] as const) {
      sources.gitlab.faults.set("/api/v4/projects", (_request, response) => sendJson(response, status, { message }));
      await expect(createAs("third")).rejects.toMatchObject({ code: "no_permission" });
    }
  });
});
