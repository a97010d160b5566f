import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { afterAll, expect, test } from "vitest";
import { created, exported, PROVED, read, SUCCESS, write } from "./testing/planted-lines.ts";

const PROGRAM = inRepository("test", "checker", "main.js");
const folder = mkdtempSync(join(tmpdir(), "elastic-checker-"));
afterAll(() => rmSync(folder, { recursive: true }));

const GOOD = [...created(0), ...read(2, SUCCESS), ...PROVED];

test("exits with 0 and states which checks ran and what the others lack", async () => {
  const end = await run(file("good.jsonl", GOOD));
  expect(end).toMatchObject({ code: 0, stderr: "" });
  expect(end.stdout).toMatch(/^7 lines of one file\n/);
  expect(end.stdout).toMatch(/^ {2}lost +holds: 1 acknowledged create$/m);
  expect(end.stdout).toMatch(/^ {2}exclusive +not checked: the history has no executions on machines$/m);
  expect(end.stdout).toMatch(/\nNo violation\.\n$/);
});

test("exits with 1 and prints violations as sentences with their lines", async () => {
  const [client, store] = [file("client.jsonl", created(0)), file("store.jsonl", PROVED.slice(0, 2))];
  const end = await run(client, store);
  expect(end.code).toBe(1);
  expect(end.stdout).toContain(
    `lost: task t was acknowledged and is still running (${client}:2, ${store}:2)\n1 violation.`,
  );
});

test("prints one JSON document", async () => {
  const store = file("twice.jsonl", [...PROVED, write(4, "failed")]);
  const { code, stdout } = await run("--json", store);
  const { violations, checks } = JSON.parse(stdout);
  expect(code).toBe(1);
  expect(violations).toEqual([
    {
      check: "states",
      sentence: "task t had ended and was written as failed at 4",
      task_ids: ["t"],
      lines: [
        { file: store, line: 3 },
        { file: store, line: 4 },
      ],
    },
  ]);
  expect(checks).toContainEqual({ name: "lost", ran: false, lacks: "no create that was acknowledged" });
});

test("judges an export as the service sends it", async () => {
  const { kind: _, ...task } = exported();
  const path = join(folder, "tasks.json");
  writeFileSync(path, `[${JSON.stringify({ ...task, input: null, result: "{}" })}]\n`);
  expect(await run(path)).toMatchObject({ code: 0 });
});

test.each<[name: string, text: string, why: RegExp]>([
  ["an empty history", "", /the history is empty/],
  ["an export without tasks", "[]\n", /the history is empty/],
  ["what no check can judge", '{"kind":"marker","name":"begun","at":1}\n', /no check can judge/],
  [
    "bad lines",
    '\n{"kind":"node","node":"n"}\nx\n',
    /bad\.jsonl:2: `slots` is missing\n.*bad\.jsonl:3: not valid JSON: Unexpected token 'x'/,
  ],
])("exits with 2 on %s", async (_name, text, why) => {
  const path = join(folder, "bad.jsonl");
  writeFileSync(path, text);
  const end = await run(path);
  expect(end).toMatchObject({ code: 2, stdout: "" });
  expect(end.stderr).toMatch(why);
});

test("judges the histories of a folder, and nothing else in it", async () => {
  const left = mkdtempSync(join(folder, "left-"));
  writeFileSync(
    join(left, "client-history-a.jsonl"),
    created(0)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(""),
  );
  writeFileSync(join(left, "store-history-a.jsonl"), PROVED.map((line) => `${JSON.stringify(line)}\n`).join(""));
  writeFileSync(join(left, "coordinator.log"), "no line of a history\n");
  const end = await run(left);
  expect(end).toMatchObject({ code: 0, stderr: "" });
  expect(end.stdout).toMatch(/^\d+ lines of 2 files\n/);
});

test("exits with 2 and what it looked for where there is no history", async () => {
  const empty = mkdtempSync(join(folder, "empty-"));
  const endings = [
    [empty, `the folder ${empty} has no history: looked for ${empty}/*-history*.jsonl, and in no folder below it`],
    [`${empty}/none`, `${empty}/none does not exist: looked for that file, or for ${empty}/none/*-history*.jsonl`],
    [`${empty}/*-history*.jsonl`, `no file matches ${empty}/*-history*.jsonl`],
  ] as const;
  for (const [path, why] of endings) {
    expect(await run(path)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(why) });
  }
});

test("exits with 2 and its help where it is started wrongly", async () => {
  expect(await run()).toMatchObject({ code: 2, stderr: expect.stringMatching(/^error: name at least one.*Usage:/s) });
});

test("exits with 2 where a check fails, and names it", async () => {
  const end = await run(
    file("good.jsonl", GOOD),
    "--import",
    preload("Map.groupBy = () => { throw new Error('odd'); };"),
  );
  expect(end).toMatchObject({ code: 2, stdout: "" });
  expect(end.stderr).toMatch(/^error: nothing was judged: the check lost failed: odd; this is a fault of the checker/);
});

test("exits with 2 where it fails anywhere else", async () => {
  const fault =
    "setTimeout(() => { throw new Error('odd'); }, 1); process.stdout.write = () => { throw new Error('odd'); };";
  const end = await run(file("good.jsonl", GOOD), "--import", preload(fault));
  expect(end).toMatchObject({ code: 2, stdout: "" });
  expect(end.stderr).toMatch(/^error: nothing was judged: odd; this is a fault of the checker/);
});

test("exits with its verdict where the reader of its report goes away", async () => {
  const store = file(
    "many.jsonl",
    Array.from({ length: 5_000 }, (_, n) => write(1 + n, "failed", { task_id: `${n}` })),
  );
  const { status, stderr } = spawnSync(
    ...(["bash", ["-c", 'set -o pipefail; "$@" | true', "bash", process.execPath, PROGRAM, "--json", store]] as const),
    { encoding: "utf8" },
  );
  expect([status, stderr]).toEqual([1, ""]);
});

test("started by a Node that does not run TypeScript, exits with 2 and says which one does", () => {
  const args = ["--no-experimental-strip-types", "--", PROGRAM, file("good.jsonl", GOOD)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(
    /^error: nothing was judged: the checker needs Node 24, or 22\.18 and later.*; this is Node \S+\.\n$/,
  );
});

/** Runs before the program. */
function preload(script: string): string {
  return `data:text/javascript,${encodeURIComponent(script)}`;
}

function file(name: string, lines: readonly object[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return path;
}

/** Options of Node come after the words. */
function run(...words: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const options = words.includes("--import") ? words.slice(words.indexOf("--import")) : [];
  const args = [...options, PROGRAM, ...words.slice(0, words.length - options.length)];
  return new Promise((resolve) => {
    execFile(process.execPath, args, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}
