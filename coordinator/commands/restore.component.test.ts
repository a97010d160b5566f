/** The commands of backups as separate processes, on a real etcd without coordinators. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";
import { createLog } from "@elastic/std/log.ts";
import { type Etcd, startEtcd } from "@elastic/test/cluster/etcd.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../archive/sql/open-archive.ts";
import { openSqlArchive } from "../archive/sql/sql-archive.ts";
import type { AuditEntry } from "../domain/audit-entry.ts";
import { readKeyFile } from "../secrets/key-file.ts";
import { claimArchive } from "../store/archive-claim.ts";
import { decodeRecord } from "../store/codec.ts";
import { connectEtcd } from "../store/etcd/etcd-kv.ts";
import { META_KEY, ROOT, recordPrefix } from "../store/keys.ts";
import type { Kv } from "../store/kv.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const SLOWLY = { timeout: 120_000 };

const log = createLog({ name: "test", level: "silent" });

let etcd: Etcd;
let kv: Kv;
let dir: string;
let file: string;
let recipient: string;

beforeAll(async () => {
  etcd = await startEtcd();
  kv = connectEtcd({ endpoints: [etcd.endpoint], log });
  dir = mkdtempSync(join(tmpdir(), "restore-"));
  readKeyFile(join(dir, "keys"));
  mkdirSync(join(dir, "backups"));
  await succeed("bootstrap", "--user", "ada", "--team", "lovelace");
  recipient = (await succeed<{ readonly recipient: string }>("backup-key", "--out", join(dir, "backup.key"))).recipient;
  await succeed("backup-key", "--out", join(dir, "other.key"));
  const { name } = await succeed<{ readonly name: string }>(
    "backup",
    "--to",
    join(dir, "backups"),
    "--recipient",
    recipient,
  );
  file = join(dir, "backups", name);
}, 60_000);
afterAll(async () => {
  await kv.close();
  await etcd[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true });
});

function run(
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const env = {
    ...COMPILE_CACHE,
    ELASTIC_ETCD: etcd.endpoint,
    ELASTIC_BLOBS_DIR: join(dir, "blobs"),
    ELASTIC_ARCHIVE: `sqlite:${join(dir, "archive.db")}`,
    ELASTIC_SECRETS_KEY_FILE: join(dir, "keys"),
  };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, ...args], { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

async function succeed<T>(...args: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await run(...args, "--json");
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as T;
}

const revision = async () => (await kv.read([META_KEY])).revision;
const empty = async () => {
  const deletes = (await kv.range(ROOT, { limit: 100 })).entries.map(({ key }) => key);
  await kv.txn({ compares: [], puts: [], deletes });
};
const own = () => ["--identity", join(dir, "backup.key")];

test("rejects each unusable input with one sentence that says what to do, and changes nothing", SLOWLY, async () => {
  const cut = join(dir, "cut.backup.age");
  writeFileSync(cut, readFileSync(file).subarray(0, -20));
  await kv.txn({ compares: [], puts: [{ key: `${ROOT}test`, value: Buffer.from("x") }], deletes: [] });
  const before = await revision();
  const refused = await Promise.all([
    run("backup", "--to", dir),
    run("backup", "--to", dir, "--recipient", "AGE-SECRET-KEY-1"),
    run("restore", file),
    run("restore", file, "--identity", join(dir, "other.key")),
    run("restore", cut, ...own()),
    run("restore", join(dir, "none.backup.age"), ...own()),
    run("restore", file, ...own()),
    run("restore", file, ...own(), "--secrets-key-file", join(dir, "no-keys")),
    run("backup-key", "--out", join(dir, "backup.key")),
    run("backup-key", "--out", join(dir, "nodir", "backup.key")),
    run("backup", "--to", dir, "--recipient", recipient, "--secrets-key-file", join(dir, "no-keys")),
    run("registry-cert", "--secrets-key-file", join(dir, "no-keys")),
    run("secrets", "stage", "--secrets-key-file", join(dir, "no-keys")),
    run("key", "enable"),
  ]);
  expect(refused.map(({ code, stderr }) => `${code} ${stderr}`)).toEqual([
    expect.stringMatching(/^2 .*ELASTIC_BACKUP_RECIPIENT.*backup-key prints\n$/),
    expect.stringMatching(/^2 .*is a private key, which stays with you/),
    expect.stringMatching(/^2 .*--identity/),
    expect.stringMatching(/^1 .*encrypted to another key.*--identity/),
    expect.stringMatching(/^1 .*cut or damaged.*Use another one/),
    expect.stringMatching(/^1 .*there is no backup none\.backup\.age/),
    expect.stringMatching(/^1 .*nothing was changed: this etcd holds a newer state of the store/),
    expect.stringMatching(/^1 .*nothing was changed: the master keys .*--without-master-keys/),
    expect.stringMatching(/^1 .*exists: name a new file/),
    expect.stringMatching(/^1 .*nothing was written: .*nodir does not exist.*--out/),
    expect.stringMatching(/^2 .*no backup was written: .*no-keys does not exist.*ELASTIC_SECRETS_KEY_FILE/),
    expect.stringMatching(/^2 .*there is no .*no-keys.*--secrets-key-file/),
    expect.stringMatching(/^2 .*there is no .*no-keys.*--secrets-key-file.*Nothing was changed/),
    expect.stringMatching(/^2 .*--all/),
  ]);
  for (const { stderr } of refused) expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  const check = await run("restore", file, ...own(), "--check");
  expect(check.code).toBe(1);
  expect(check.stdout).toMatch(/^ok {3}file .*^fail restore .*newer state/ms);
  // No coordinator was started with these settings.
  expect(check.stdout).toMatch(/^warn blobs +no coordinator has used .*\n +→ correct ELASTIC_BLOBS_DIR/m);
  expect((await run("restore", cut, ...own(), "--check")).stdout).toMatch(/^fail file .*cut or damaged/m);
  expect(await revision()).toBe(before);
});

test("restores without an archive with every key disabled, until they are confirmed", SLOWLY, async () => {
  await empty();
  const restored = await succeed("restore", file, ...own());
  expect(restored).toMatchObject({ epoch: 2, keys_disabled: true, changed: { disabled: 1 } });
  expect(restored).toMatchObject({ warnings: [expect.stringMatching(/may reject the coordinators.*--above-epoch/)] });
  expect((await run("restore", file, ...own())).stderr).toMatch(/newer state of the store \(epoch 2/);
  expect(await succeed("user", "list")).toMatchObject([{ name: "ada" }]);
  expect(await succeed("key", "enable", "--all")).toMatchObject({ enabled: [expect.any(String)] });
  expect(await succeed("key", "enable", "--all")).toEqual({ enabled: [] });
  expect(await succeed("lost-tasks")).toEqual([]);
});

test("takes no backup without a readable archive or of a store that was put back, and says why", SLOWLY, async () => {
  const take = (...args: readonly string[]) => run("backup", "--recipient", recipient, ...args);
  const backups = join(dir, "more-backups");
  const unmounted = await take("--to", backups);
  expect(`${unmounted.code} ${unmounted.stderr}`).toMatch(/^1 .*nothing was written.*more-backups does not exist/);
  mkdirSync(backups);
  await claimArchive(kv, { id: "the-archive", kind: "sqlite" });
  const unread = await take("--to", backups);
  expect(`${unread.code} ${unread.stderr}`).toMatch(
    /^1 .*no backup was written: the archive cannot.*--without-archive/,
  );
  const identity = join(dir, "newer-identity.json");
  writeFileSync(identity, JSON.stringify({ clusterId: "1", revision: 1, epoch: 1, blobStoreId: "b" }));
  const other = await take("--to", backups, "--without-archive", "--store-identity-file", identity);
  expect(`${other.code} ${other.stderr}`).toMatch(/1 .*no backup was written or removed: etcd does not hold/s);
  expect(readdirSync(backups)).toEqual([]);
  expect((await take("--to", backups, "--without-archive")).code).toBe(0);
  expect(readdirSync(backups)).toHaveLength(1);
});

test("gives each restore of a file another epoch, also on a machine that knows of none", SLOWLY, async () => {
  const location = { kind: "sqlite", file: join(dir, "archive.db") } as const;
  const archive = await openSqlArchive(await openDatabase(location, log), "the-archive");
  await claimArchive(kv, { id: "the-archive", kind: "sqlite" });
  const { name } = await succeed<{ readonly name: string }>(
    ...["backup", "--to", join(dir, "backups"), "--recipient", recipient],
  );
  for (const epoch of [3, 4]) {
    await empty();
    const restored = await succeed("restore", join(dir, "backups", name), ...own());
    expect(restored).toMatchObject({ epoch_before: 2, epoch, keys_disabled: false, warnings: [] });
    // As the leader does.
    const { entries } = await kv.range(recordPrefix("audit-entries"), { limit: 100 });
    await archive.putAudit(entries.map(({ value }) => decodeRecord(value).value as AuditEntry));
  }
  await archive.close();
});
