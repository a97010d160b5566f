/** A new repository that is generated from the operator's template. */
import { filesOf } from "@elastic/test/github/memory-repository.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../testing/call.ts";
import { ADA, type SourceFixture, startSourceFixture } from "./testing/source-fixture.ts";

const FILES = filesOf({ Dockerfile: "FROM scratch\n", "src/main.rs": "fn main() {}\n" });

let sources: SourceFixture;

beforeAll(async () => {
  sources = await startSourceFixture("elastic/template");
  const template = sources.github.app.addRepository({ owner: "elastic", name: "template", isPrivate: false }, FILES);
  sources.github.app.templates.add(template.fullName);
});
afterAll(() => sources[Symbol.asyncDispose]());

test("has the template's tree once it is returned, and is refused by name where the name is taken", async () => {
  const connectionId = await sources.connect();
  const create = (name: string) =>
    sources.access.createRepository(connectionId, sources.api.own.userId, { name, files: [] });
  await expect(create("prover")).rejects.toMatchObject({ code: "name_taken" });
  const made = await create("my-prover");
  const source = await sources.addSource(connectionId, { repository_id: made.id });
  const { commit } = await sources.access.resolveCommit(source);
  expect(sources.github.app.find(ADA.login, "my-prover")?.find(commit)?.files).toEqual(FILES);
});

test("is created over the API where no template was generated here", async () => {
  const connectionId = await sources.connect();
  const { api, github } = sources;
  const options = { key: api.own.key, body: JSON.stringify({ name: "by-api", template: "poseidon" }) };
  const made = await call(`${api.url}/v1/source-connections/${connectionId}/repositories`, options);
  expect([made.status, made.json.name]).toEqual([201, "ada/by-api"]);
  expect(github.app.find(ADA.login, "by-api")?.find("main")?.files).toEqual(FILES);
});

test("is refused where the template is not there for the user", async () => {
  sources.github.app.templates.clear();
  const connectionId = await sources.connect();
  const wanted = { name: "another", files: [] };
  const creating = sources.access.createRepository(connectionId, sources.api.own.userId, wanted);
  await expect(creating).rejects.toMatchObject({ code: "no_permission" });
});
