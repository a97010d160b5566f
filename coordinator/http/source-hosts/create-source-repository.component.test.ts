/** A new repository over the API: what it has, who may create it, and every way in which the host refuses it. */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { FAULTS, sendJson } from "@elastic/test/login/http-host.ts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { create as createRecord, replace } from "../../store/change.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { addTenant } from "../testing/http-fixture.ts";
import { expectRefused } from "../testing/refusal.ts";
import { ADA, type SourceFixture, startSourceFixture } from "./testing/source-fixture.ts";

let sources: SourceFixture;
/** With an authorization of a moment ago. */
let connectionId: string;

beforeAll(async () => {
  sources = await startSourceFixture();
});
afterAll(() => sources[Symbol.asyncDispose]());
beforeEach(async () => {
  writeTemplate({ Dockerfile: "FROM scratch\n", "src/main.rs": "fn main() {}\n", "run.sh": "#!/bin/sh\n" });
  connectionId = await sources.connect();
});
afterEach(() => {
  sources.github.faults.clear();
  sources.github.app.addsCreated = true;
});

const folder = () => join(sources.api.options.config.templatesFolder, "poseidon");

function writeTemplate(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder(), path)), { recursive: true });
    writeFileSync(join(folder(), path), text);
  }
  chmodSync(join(folder(), "run.sh"), 0o755);
}

const post = (body: object, key = sources.api.own.key): Promise<CallResponse> =>
  call(`${sources.api.url}/v1/source-connections/${connectionId}/repositories`, { key, body: JSON.stringify(body) });
const create = (name: string, key?: string) => post({ name, template: "poseidon" }, key);

/** Of ada's account at the host. */
const find = (name: string) => sources.github.app.find(ADA.login, name);

test("has the template's files, is private, and is one that a service may be built from", async () => {
  const made = await create("my-prover");
  expect([made.status, JSON.parse(made.text)]).toEqual([
    201,
    {
      repository_id: String(find("my-prover")?.id),
      name: "ada/my-prover",
      default_branch: "main",
      private: true,
      fork: false,
    },
  ]);
  const files = [...(find("my-prover")?.find("heads/main")?.files ?? [])];
  expect(files.map(([path, { content, isExecutable }]) => [path, content.toString(), isExecutable])).toEqual([
    ["Dockerfile", "FROM scratch\n", false],
    ["run.sh", "#!/bin/sh\n", true],
    ["src/main.rs", "fn main() {}\n", false],
  ]);
  const source = await sources.addSource(connectionId, { repository_id: made.json.repository_id });
  expect((await sources.access.resolveCommit(source)).commit).toBe(find("my-prover")?.branches.get("main"));
});

describe("is created", () => {
  test("once by an authorization, while that is recent", async () => {
    expect((await create("once")).status).toBe(201);
    expectRefused(await create("twice"), 409, "source_authorization_needed");
    await sources.connect();
    const grant = await sources.api.store.get("source-grants", connectionId);
    if (grant === null) throw new Error("no grant");
    await sources.api.store.commit([replace("source-grants", grant, { ...grant.value, expiresAt: Date.now() })]);
    const late = await create("late");
    expectRefused(late, 409, "source_authorization_needed");
    expect(late.json.detail).toContain("Authorize at GitHub again");
    expect([find("twice"), find("late")]).toEqual([null, null]);
  });

  test("by the user who authorized it alone, and not by another user or team", async () => {
    const { store, own, other } = sources.api;
    expectRefused(await create("theirs", other.key), 404, "not_found");
    const colleague = await addTenant(store, "colleague");
    const membership = { userId: colleague.userId, teamId: own.teamId, role: "owner", createdAt: Date.now() } as const;
    await store.commit([createRecord("memberships", membership)]);
    expectRefused(await create("theirs", colleague.key), 409, "source_authorization_needed");
    expect([find("theirs"), (await store.get("source-grants", connectionId))?.value.userId]).toEqual([
      null,
      own.userId,
    ]);
  });

  test("with a name and a template that there is, and nothing else", async () => {
    const bodies = [
      { name: "my-prover" },
      { name: "my-prover", template: "../poseidon" },
      { name: "my-prover", template: "poseidon", private: false },
      { name: "", template: "poseidon" },
    ];
    for (const body of bodies) expectRefused(await post(body), 422, "invalid_request");
  });
});

describe("is refused", () => {
  test("where the name is taken or not valid, and created under another one then", async () => {
    const taken = await create("prover");
    expectRefused(taken, 409, "repository_name_taken");
    expect(taken.json.detail).toBe("The account has a repository of that name. Choose another name.");
    expectRefused(await create("../user"), 422, "source_invalid");
    expect((await create("free")).status).toBe(201);
  });

  test("where the host does not permit it, without an end of the connection", async () => {
    sources.github.faults.set("/api/v3/user/repos", (_request, response) => {
      sendJson(response, 403, { message: "Resource not accessible by integration" });
    });
    const refused = await create("forbidden");
    expectRefused(refused, 409, "source_not_permitted");
    expect(refused.json.detail).toContain("Ask an owner of the account at GitHub");
    expect((await sources.api.store.get("source-connections", connectionId))?.value.state.kind).toBe("active");
  });

  test("where the host no longer accepts the user's token", async () => {
    sources.github.userTokens.clear();
    expectRefused(await create("revoked"), 409, "source_authorization_needed");
  });

  test("while the host does not respond", async () => {
    sources.github.faults.set("/api/v3/user/repos", FAULTS.down);
    expectRefused(await create("absent"), 503, "source_host_unavailable");
    sources.github.faults.clear();
    expect((await create("absent")).status).toBe(201);
  });

  test("before anything is created where the templates were not generated", async () => {
    rmSync(folder(), { recursive: true });
    const refused = await create("empty");
    expectRefused(refused, 409, "no_template");
    expect([find("empty"), refused.json.detail]).toEqual([null, expect.stringContaining("Ask an operator")]);
  });
});

describe("that was created, but", () => {
  test("that the app has no access to, is reported so", async () => {
    sources.github.app.addsCreated = false;
    const refused = await create("not-added");
    expectRefused(refused, 409, "repository_incomplete");
    expect(refused.json.detail).toBe(
      "The repository was created, but not added to the connection. " +
        "Add it to the app's repositories at GitHub and connect the account again.",
    );
    expect(find("not-added")).not.toBeNull();
  });

  test("has not got its files, is reported so", async () => {
    sources.github.faults.set("/api/v3/repos/ada/without-files/git/trees", FAULTS.down);
    const refused = await create("without-files");
    expectRefused(refused, 409, "repository_incomplete");
    expect(refused.json.detail).toContain("created, but GitHub failed before it had its files");
    expect(find("without-files")).not.toBeNull();
  });

  test("whose connection was deleted meanwhile, is reported so", async () => {
    const { key } = sources.api.own;
    sources.github.faults.set("/api/v3/repos/ada/orphan/git/trees", async (_request, response) => {
      await call(`${sources.api.url}/v1/source-connections/${connectionId}`, { key, method: "DELETE" });
      sendJson(response, 201, { sha: find("orphan")?.addTree(new Map()) });
    });
    expectRefused(await create("orphan"), 409, "repository_incomplete");
    expect(find("orphan")).not.toBeNull();
  });
});

test("of an app that was suspended, or uninstalled without an event, is refused as the connection is", async () => {
  const { app } = sources.github;
  const [installation] = app.installations.values();
  if (installation === undefined) throw new Error("no installation");
  await app.suspend(installation);
  const suspended = await create("while-suspended");
  expectRefused(suspended, 409, "source_connection_ended");
  expect(suspended.json.detail).toContain("unsuspend it at GitHub");
  await app.suspend(installation, false);
  app.webhookUrl = null;
  await app.uninstall(installation);
  expectRefused(await create("after-the-end"), 409, "source_connection_ended");
  expect((await sources.api.store.get("source-connections", connectionId))?.value.state.kind).toBe("uninstalled");
});
