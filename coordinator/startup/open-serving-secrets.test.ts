import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "@elastic/std/log.ts";
import { expect, onTestFinished, test } from "vitest";
import { newKeyLine } from "../secrets/key-file.ts";
import { openSecrets } from "../secrets/secrets.ts";
import { readKeyRotation, writeKeyRotation } from "../store/key-rotation.ts";
import { Memory } from "../store/memory/memory.ts";
import { memoryKv } from "../store/memory/memory-kv.ts";
import { KeysDoNotServeError, openServingSecrets, refuseOutdatedKeys } from "./open-serving-secrets.ts";

test("does not start with a file that lacks the key which the others seal with, and says what to do", async () => {
  const dir = mkdtempSync(join(tmpdir(), "serving-secrets-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  await using starting = new AsyncDisposableStack();
  const kv = memoryKv(new Memory());
  starting.defer(() => kv.close());
  const keyFile = join(dir, "keys");
  const log = createLog({ name: "test", level: "silent" });
  const open = () => openServingSecrets({ config: { secretsKeyFile: keyFile }, kv, log }, starting);
  const [own = ""] = (await open()).keyIds();

  const rotation = { from: own, to: "bbbbbbbb", stagedAt: 1, promotedAt: null, retiredAt: null };
  await writeKeyRotation(kv, await readKeyRotation(kv), rotation);
  expect((await open()).keyIds()).toEqual([own]);
  await writeKeyRotation(kv, await readKeyRotation(kv), { ...rotation, promotedAt: 2 });
  await expect(open()).rejects.toThrow(
    `ELASTIC_SECRETS_KEY_FILE: ${keyFile} has key ${own} and not key bbbbbbbb, with which the coordinators of this store seal: ` +
      "copy the key file of another coordinator to this machine, or, where etcd was put back to an earlier copy, put that key's " +
      "line back as the first one; then start again",
  );
  expect(openSecrets({ keyFile }).keyIds()).toEqual([own]);
});

test("does not start with a retired key first, and looks into the file once more before that", async () => {
  const dir = mkdtempSync(join(tmpdir(), "serving-secrets-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  await using starting = new AsyncDisposableStack();
  const kv = memoryKv(new Memory());
  starting.defer(() => kv.close());
  const [keyFile, log] = [join(dir, "keys"), createLog({ name: "test", level: "silent" })];
  const [old, fresh] = [newKeyLine(), newKeyLine()];
  writeFileSync(keyFile, `${old}\n${fresh}\n`);
  const config = { secretsKeyFile: keyFile };
  const secrets = await openServingSecrets({ config, kv, log }, starting);
  const [from = "", to = ""] = secrets.keyIds();
  const rotation = { from, to, stagedAt: 1, promotingAt: 2, promotedAt: 3, retiredAt: 4 };
  await writeKeyRotation(kv, await readKeyRotation(kv), rotation);
  await expect(openServingSecrets({ config, kv, log }, starting)).rejects.toThrow(
    `${keyFile} has key ${from} first, which would seal and was retired on 1970-01-01T00:00:00.004Z`,
  );
  // As its start ends, with what was changed meanwhile.
  await expect(refuseOutdatedKeys({ config, kv, secrets })).rejects.toThrow(KeysDoNotServeError);
  writeFileSync(keyFile, `${fresh}\n${old}\n`);
  await refuseOutdatedKeys({ config, kv, secrets });
  expect(secrets.keyIds()).toEqual([to, from]);
});
