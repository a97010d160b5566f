import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { unreachable } from "../api/unreachable.ts";
import { CliError } from "../errors/cli-error.ts";
import { explainLink } from "./explain-link.ts";
import { writeLink } from "./service-link.ts";

const URL = "http://127.0.0.1:8080";

let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "elastic-cli-"));
  path = await writeLink(folder, { url: URL, serviceId: "0".repeat(32), serviceName: "poseidon" });
});
afterAll(() => rm(folder, { recursive: true }));

const unknown = new CliError("There is no such service.", { code: "not_found", exitCode: 4, requestId: "r-1" });

test("a service that the folder is linked to, and that does not exist, is reported with the link's file", async () => {
  const explained = await explainLink(unknown, folder, ["service", "info"]);
  expect(explained).toMatchObject({ message: unknown.message, exitCode: 4, requestId: "r-1" });
  expect(explained.next).toMatch(/^This folder is linked to poseidon .*remove .* `elastic service create <name>`/);
  expect(explained.next).toContain(path);
});

test("so is a service that does not respond", async () => {
  const explained = await explainLink(unreachable(URL, new Error("away")), folder, ["task", "list"]);
  expect(explained.next).toContain(`linked to that address by ${path}`);
});

test("what has nothing to do with the link stays as it is", async () => {
  for (const error of [
    new CliError("There is no such task.", { code: "not_found" }),
    unreachable("http://h:1", null),
  ]) {
    expect(await explainLink(error, folder, ["task", "info"])).toBe(error);
  }
  expect(await explainLink(unknown, folder, ["service", "info", "--service", "x"])).toBe(unknown);
  expect(await explainLink(unknown, tmpdir(), ["service", "info"])).toBe(unknown);
});
