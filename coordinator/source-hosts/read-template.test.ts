import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { REPOSITORY } from "@elastic/deploy/template/read-sources.ts";
import { templateFiles } from "@elastic/deploy/template/template-files.ts";
import { TEMPLATES_FOLDER as GENERATED, writeFiles } from "@elastic/deploy/template/write-template.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readTemplate, TEMPLATES_FOLDER } from "./read-template.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "templates-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

test("reads what set-up generates, from where it generates it", async () => {
  const generated = templateFiles(REPOSITORY);
  writeFiles(join(folder, "poseidon"), generated);
  const read = await readTemplate(folder, "poseidon");
  const texts = new Map(read.map(({ path, content }) => [path, content.toString()]));
  expect(texts).toEqual(new Map(generated.map(({ path, text }) => [path, text])));
  expect(read.filter(({ isExecutable }) => isExecutable)).toEqual([]);
  expect(TEMPLATES_FOLDER).toBe(GENERATED);
});

test("finds nothing where nothing was generated", async () => {
  expect(await readTemplate(join(folder, "absent"), "poseidon")).toEqual([]);
});
