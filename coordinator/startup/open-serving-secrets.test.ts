import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "@elastic/std/log.ts";
import { expect, onTestFinished, test } from "vitest";
import { openSecrets } from "../secrets/secrets.ts";
import { readKeyRotation, writeKeyRotation } from "../store/key-rotation.ts";
import { Memory } from "../store/memory/memory.ts";
import { memoryKv } from "../store/memory/memory-kv.ts";
import { openServingSecrets } from "./open-serving-secrets.ts";

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
      "line back as the second one; then start again",
  );
  expect(openSecrets({ keyFile }).keyIds()).toEqual([own]);
});
