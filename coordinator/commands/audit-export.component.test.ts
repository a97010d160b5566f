/** The export of the audit log as a separate process, on a real etcd and the file of an archive. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { type Etcd, startEtcd } from "@elastic/test/cluster/etcd.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Archive } from "../archive/archive.ts";
import { moveAuditEntries } from "../archive/audit-mover.ts";
import { openArchive } from "../archive/sql/open-archive.ts";
import { auditedStore } from "../audit/audited-store.ts";
import { aNewService } from "../domain/testing/records.ts";
import { create, remove } from "../store/change.ts";
import { connectEtcd } from "../store/etcd/etcd-kv.ts";
import type { Kv } from "../store/kv.ts";
import { openStore } from "../store/open/open-store.ts";
import type { Store } from "../store/store.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const SLOWLY = { timeout: 60_000 };
const log = createLog({ name: "test", level: "silent" });
const folder = mkdtempSync(join(tmpdir(), "audit-export-"));
const file = join(folder, "archive.db");
const cursor = join(folder, "cursor");

let etcd: Etcd;
let kv: Kv;
let store: Store;
let audited: Store;
let archive: Archive;

beforeAll(async () => {
  etcd = await startEtcd();
  kv = connectEtcd({ endpoints: [etcd.endpoint], log });
  store = await openStore({ kv, clock: systemClock, log });
  archive = await openArchive({ location: { kind: "sqlite", file }, kv, clock: systemClock, log });
  const credential = { kind: "operator", id: null } as const;
  const who = { action: "createService", userId: null, credential, address: null, requestId: null, teamId: null };
  audited = auditedStore(store, () => who, systemClock);
});
afterAll(async () => {
  await archive.close();
  await store.close();
  await kv.close();
  await etcd[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

function run(
  ...args: readonly string[]
): Promise<{ readonly code: number | null; lines: readonly string[]; stderr: string }> {
  const env = { ...COMPILE_CACHE, ELASTIC_ETCD: etcd.endpoint, ELASTIC_ARCHIVE: `sqlite:${file}` };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, "audit", "export", ...args], { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, lines: stdout.split("\n").filter((line) => line !== ""), stderr }),
    );
  });
}

let made = 0;
async function addService(): Promise<void> {
  made += 1;
  await audited.commit([
    create("services", { ...aNewService(), id: made.toString(16).padStart(32, "0"), name: "préver" }),
  ]);
}

function idsIn(lines: readonly string[]): readonly string[] {
  return lines.map((line) => (JSON.parse(line) as { readonly entry_id: string }).entry_id);
}

test(
  "exports what has moved and what has not, resumes after that, and reports an entry that was removed",
  SLOWLY,
  async () => {
    for (let n = 0; n < 3; n++) await addService();
    await moveAuditEntries({ store, archive }, () => true);
    await addService();
    const first = await run("--cursor", cursor);
    expect([first.code, first.stderr, first.lines.length]).toEqual([0, "", 4]);
    expect(idsIn(first.lines)).toEqual(idsIn(first.lines).toSorted());
    expect(JSON.parse(first.lines[0] ?? "")).toMatchObject({ action: "createService", object: { name: "préver" } });
    expect(first.lines.join("")).not.toMatch(/[^ -~]/);

    expect((await run("--cursor", cursor)).lines).toEqual([]);
    await addService();
    const [removed] = [...store.view.auditEntries.values()].filter(
      ({ value }) => !idsIn(first.lines).includes(value.id),
    );
    if (removed === undefined) throw new Error("the entry is not in the view");
    await store.commit([remove("audit-entries", removed)]);
    await addService();
    const next = await run("--cursor", cursor);
    expect(next.code).toBe(1);
    expect(next.stderr).toContain("1 of the entries that others name are gone");
    const [gap, entry] = next.lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    expect(gap).toMatchObject({ missing_entry_id: removed.value.id, named_by: entry?.entry_id });
    expect(next.lines).toHaveLength(2);
  },
);

/** With another standard output: a file descriptor, or a pipe whose reader ends at the first line. */
async function runInto(output: number | "head", ...args: readonly string[]) {
  const env = { ...COMPILE_CACHE, ELASTIC_ETCD: etcd.endpoint, ELASTIC_ARCHIVE: `sqlite:${file}` };
  const child = spawn(process.execPath, [MAIN, "audit", "export", ...args], {
    env,
    stdio: ["ignore", output === "head" ? "pipe" : output, "pipe"],
  });
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const received: string[] = [];
  child.stdout?.setEncoding("utf8").once("data", (text: string) => {
    received.push(...text.trimEnd().split("\n"));
    child.stdout?.destroy();
  });
  return { child, received, stderr: () => stderr, code: async () => ((await once(child, "close")) as [number])[0] };
}

test(
  "leaves the cursor where standard output does not accept the entries, and says so in one line",
  SLOWLY,
  async () => {
    const before = join(folder, "before");
    const full = openSync("/dev/full", "w");
    const exported = await runInto(full, "--cursor", before);
    expect(await exported.code()).toBe(1);
    expect(exported.stderr()).toMatch(
      /^elastic-coordinator: standard output cannot be written \(ENOSPC: [^\n]*\): of the last \d+ entries some were not exported; [^\n]*\n$/,
    );
    closeSync(full);
    expect(existsSync(before)).toBe(false);
  },
);

test("notices that a file did not take all of a write, and exports it completely afterwards", SLOWLY, async () => {
  const [before, output] = [join(folder, "before-cut"), join(folder, "cut.jsonl")];
  const env = { ...COMPILE_CACHE, ELASTIC_ETCD: etcd.endpoint, ELASTIC_ARCHIVE: `sqlite:${file}` };
  // A limit on the size of files: a write up to it succeeds in part, as on a disk with that much room.
  const script = 'ulimit -f 1; exec "$0" "$@" > "$OUTPUT"';
  const args = [process.execPath, MAIN, "audit", "export", "--cursor", before];
  const child = spawn("/bin/sh", ["-c", script, ...args], { env: { ...env, OUTPUT: output }, stdio: "ignore" });
  expect((await once(child, "close"))[0]).toBe(1);
  expect(readFileSync(output).length).toBeGreaterThan(0);
  expect(existsSync(before)).toBe(false);
  const { lines } = await run("--cursor", before);
  expect(lines.join("\n").length).toBeGreaterThan(readFileSync(output).length);
});

test("exports every entry that a reader of a pipe did not receive with the next export", SLOWLY, async () => {
  const piped = join(folder, "piped");
  const { child, received, code, stderr } = await runInto("head", "--follow", "--cursor", piped);
  const ended = code();
  await expect.poll(() => received.length, { timeout: 20_000 }).toBeGreaterThan(0);
  await addService();
  expect(await ended).toBe(1);
  expect(child.signalCode).toBeNull();
  expect(stderr()).toMatch(
    /^(1 audit [^\n]*\n)?elastic-coordinator: standard output cannot be written \(write EPIPE\): [^\n]*\n$/,
  );
  expect((await run("--cursor", piped)).lines).toHaveLength(1);
});

test("exports nothing where the cursor cannot be written", SLOWLY, async () => {
  const { code, lines, stderr } = await run("--cursor", join(folder, "absent", "cursor"));
  expect([code, lines]).toEqual([1, []]);
  expect(stderr).toMatch(/the cursor cannot be written to .*absent\/cursor \(ENOENT.*nothing was exported\n$/);
});

test("changes nothing and says what to do where the cursor is none", SLOWLY, async () => {
  const damaged = join(folder, "damaged");
  writeFileSync(damaged, "{}");
  const { code, stderr, lines } = await run("--cursor", damaged);
  expect([code, lines, readFileSync(damaged, "utf8")]).toEqual([1, [], "{}"]);
  expect(stderr).toContain("is no cursor of an export: name another file");
});

test("refuses two ways at once, and an address that is none, with exit code 2", SLOWLY, async () => {
  expect((await run("--jsonl", "--syslog", "udp://h")).code).toBe(2);
  const { code, stderr } = await run("--syslog", "http://h");
  expect(code).toBe(2);
  expect(stderr).toContain("udp://host:514");
});
