/** Steps of the authority that are killed at any access to the store, or done with an outdated key file. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { expect, onTestFinished, test } from "vitest";
import { openAuthority, readOrCreateAuthority } from "../enrollment/authority.ts";
import { newKeyLine } from "../secrets/key-file.ts";
import { openSecrets, type Secrets } from "../secrets/secrets.ts";
import { readAuthority } from "../store/authority-claim.ts";
import { readKeyRotation, writeKeyRotation } from "../store/key-rotation.ts";
import type { Kv } from "../store/kv.ts";
import { Memory } from "../store/memory/memory.ts";
import { memoryKv } from "../store/memory/memory-kv.ts";
import { openStore } from "../store/open/open-store.ts";
import { type AuthorityStep, nextAuthorityStep } from "./authority-steps.ts";
import { doAuthorityStep } from "./rotate-authority.ts";
import { killedAt } from "./testing/killed-at.ts";

const log = createLog({ name: "test", level: "silent" });
const STEPS = ["stage", "promote", "retire"] as const;
const ACCESSES_MAX = 30;

interface Rotation extends AsyncDisposable {
  readonly kv: Kv;
  readonly secrets: Secrets;
  readonly keyFile: string;
  do(step: AuthorityStep, kv?: Kv): Promise<string>;
}

async function startRotation(): Promise<Rotation> {
  await using starting = new AsyncDisposableStack();
  const dir = mkdtempSync(join(tmpdir(), "rotation-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const keyFile = join(dir, "keys");
  const secrets = openSecrets({ keyFile });
  const own: Kv = memoryKv(new Memory());
  starting.defer(() => own.close());
  const store = await openStore({ kv: own, clock: systemClock, log });
  starting.defer(() => store.close());
  await readOrCreateAuthority(own, secrets, systemClock);
  const context = { view: store.view, keyFile, clock: systemClock, progress: () => undefined, waitMs: 1000 };
  const started = starting.move();
  return {
    kv: own,
    secrets,
    keyFile,
    do: async (step, kv = own) => (await doAuthorityStep({ ...context, kv }, step, { isForced: false })).root,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

async function recordOf({ kv }: Rotation) {
  const read = await readAuthority(kv);
  if (read === null) throw new Error("it was made");
  return read.record;
}

const kills = (["before", "after"] as const).flatMap((when) => STEPS.map((step) => [step, when] as const));

test.each(kills)("continues an `authority %s` that was killed %s any access", async (step, when) => {
  let isKilled = true;
  for (let access = 0; isKilled; access += 1) {
    expect(access).toBeLessThan(ACCESSES_MAX);
    await using rotation = await startRotation();
    const first = openAuthority(await recordOf(rotation), rotation.secrets).sha256;
    for (const before of STEPS.slice(0, STEPS.indexOf(step))) await rotation.do(before);
    isKilled = await rotation.do(step, killedAt(rotation.kv, access, when)).then(
      () => false,
      () => true,
    );
    // A coordinator that starts then opens it.
    expect(openAuthority(await recordOf(rotation), rotation.secrets).trusted.sha256.length).toBeLessThanOrEqual(2);
    const isRetired = async () => nextAuthorityStep({ record: await recordOf(rotation) }) === "stage";
    if (step !== "retire" || !(await isRetired())) await rotation.do(step);
    for (const next of STEPS.slice(STEPS.indexOf(step) + 1)) await rotation.do(next);
    const { sha256, trusted } = openAuthority(await recordOf(rotation), rotation.secrets);
    expect([sha256 === first, trusted.sha256]).toEqual([false, [sha256]]);
  }
});

test("does not seal a new root with a key that was retired", async () => {
  await using rotation = await startRotation();
  const { kv, keyFile, secrets } = rotation;
  const [to = ""] = secrets.keyIds();
  const other = join(keyFile, "..", "other");
  writeFileSync(other, `${newKeyLine()}\n`);
  const [from = ""] = openSecrets({ keyFile: other }).keyIds();
  const retired = { from, to, stagedAt: 1, promotingAt: 2, promotedAt: 3, retiredAt: 4 };
  await writeKeyRotation(kv, await readKeyRotation(kv), retired);
  writeFileSync(keyFile, `${readFileSync(other, "utf8")}${readFileSync(keyFile, "utf8")}`);
  await expect(rotation.do("stage")).rejects.toThrow(
    /has key .* first, which would seal and was retired on .*Nothing was changed$/,
  );
  expect(await recordOf(rotation)).not.toHaveProperty("next");
});
