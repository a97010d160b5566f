/** Steps that are killed at any access to the store, and commands at the same time. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { expect, onTestFinished, test } from "vitest";
import { readPresentKeys } from "../secrets/change-key-file.ts";
import { newKeyLine } from "../secrets/key-file.ts";
import { readKeyRotation, whyKeysDoNotServe, writeKeyRotation } from "../store/key-rotation.ts";
import { HELD_KEYS_PREFIX, heldKeysKey } from "../store/keys.ts";
import type { Kv } from "../store/kv.ts";
import { Memory } from "../store/memory/memory.ts";
import { memoryKv } from "../store/memory/memory-kv.ts";
import { openStore } from "../store/open/open-store.ts";
import type { KeyStep } from "./key-steps.ts";
import { doKeyStep, type KeyRotationContext } from "./rotate-key.ts";
import { killedAt } from "./testing/killed-at.ts";

const log = createLog({ name: "test", level: "silent" });
const NOW = { isNow: true, skipsRegistry: true };
const ACCESSES_MAX = 50;
const LATER: Clock = { ...systemClock, now: () => Date.now() + 60_000, monotonicMs: () => systemClock.monotonicMs() };

class Rotation implements AsyncDisposable {
  readonly #stack = new AsyncDisposableStack();
  readonly kv: Kv = memoryKv(new Memory());
  readonly #keyFile: string;
  #store: KeyRotationContext["store"] | undefined;

  constructor() {
    const dir = mkdtempSync(join(tmpdir(), "rotation-"));
    onTestFinished(() => rmSync(dir, { recursive: true }));
    this.#keyFile = join(dir, "keys");
    writeFileSync(this.#keyFile, `${newKeyLine()}\n`);
    this.#stack.defer(() => this.kv.close());
  }

  async do(step: KeyStep, kv = this.kv, clock: Clock = systemClock): Promise<readonly string[]> {
    if (this.#store === undefined) {
      const store = await openStore({ kv: this.kv, clock: systemClock, log });
      this.#stack.defer(() => store.close());
      this.#store = store;
    }
    const given = { kv, store: this.#store, keyFile: this.#keyFile, clock, progress: () => undefined };
    return (await doKeyStep({ ...given, waitMs: 1000 }, step, NOW)).keys;
  }

  file(): readonly string[] {
    return readPresentKeys(this.#keyFile).map(({ id }) => id);
  }

  async recorded() {
    return (await readKeyRotation(this.kv)).rotation;
  }

  /** Null for a file with which a coordinator starts at present. */
  async whyRefused(...file: readonly string[]): Promise<string | null> {
    return whyKeysDoNotServe(await this.recorded(), file);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

/** Of a command before whose looks at the coordinators something happens. */
function whenHoldersAreRead(kv: Kv, happen: () => Promise<void>): Kv {
  return {
    ...killedAt(kv, Number.POSITIVE_INFINITY, "after"),
    range: async (prefix, options) => {
      if (prefix === HELD_KEYS_PREFIX) await happen();
      return await kv.range(prefix, options);
    },
  };
}

const kills = (["before", "after"] as const).flatMap((when) =>
  (["stage", "promote", "reseal", "retire"] as const).map((step) => [step, when] as const),
);

test.each(kills)(
  "continues a `%s` that was killed %s any access, and no coordinator starts without a key in use",
  async (step, when) => {
    const before = (["stage", "promote", "reseal", "retire"] as const).slice(
      0,
      kills.findIndex(([one]) => one === step),
    );
    let isKilled = true;
    for (let access = 0; isKilled; access += 1) {
      expect(access).toBeLessThan(ACCESSES_MAX);
      await using rotation = new Rotation();
      const [old = ""] = rotation.file();
      for (const one of before) await rotation.do(one);
      isKilled = await rotation.do(step, killedAt(rotation.kv, access, when)).then(
        () => false,
        () => true,
      );
      const [seals = ""] = rotation.file();
      // What the file is now serves, and what it was before the new key sealed does not.
      if ((await rotation.recorded()) !== null) expect(await rotation.whyRefused(...rotation.file())).toBeNull();
      if (seals !== old) expect(await rotation.whyRefused(old)).toMatch(/and not key/);
      if (rotation.file().length === 1 && step === "retire") {
        expect(await rotation.whyRefused(old, seals)).toMatch(/was retired on/);
      } else await rotation.do(step);
      for (const next of (["promote", "reseal", "retire"] as const).slice(before.length)) {
        if (rotation.file().length === 2) await rotation.do(next);
      }
      const [last = "", ...others] = rotation.file();
      expect([last === old, others]).toEqual([false, []]);
      expect(await rotation.recorded()).toMatchObject({ from: old, to: last, retiredAt: expect.any(Number) });
    }
  },
);

test.each(["stage", "promote", "retire"] as const)(
  "of two `%s` at once one is done, and the other changes nothing",
  async (step) => {
    await using rotation = new Rotation();
    const [old] = rotation.file();
    if (step !== "stage") await rotation.do("stage");
    if (step === "retire") await rotation.do("promote");
    const [, staged] = rotation.file();
    const both = await Promise.allSettled([rotation.do(step), rotation.do(step)]);
    const lost = both.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []));
    expect(lost).toEqual([
      expect.stringMatching(/another command changed .* nothing was changed by this one: look with/),
    ]);
    const { from, to } = (await rotation.recorded()) ?? {};
    const wanted = { stage: [old, to], promote: [staged, old], retire: [to] };
    expect([from === old || to === old, rotation.file()]).toEqual([true, wanted[step]]);
  },
);

test("records each step once, however often it is repeated", async () => {
  await using rotation = new Rotation();
  for (const step of ["stage", "promote"] as const) {
    await rotation.do(step);
    const recorded = await rotation.recorded();
    await rotation.do(step, rotation.kv, LATER);
    expect(await rotation.recorded()).toEqual(recorded);
  }
});

test("does not record a promotion over a rotation that another command began while it was confirmed", async () => {
  await using rotation = new Rotation();
  await rotation.do("stage");
  const [old = "", fresh = ""] = rotation.file();
  const other = { from: fresh, to: "cccccccc", stagedAt: 1, promotingAt: null, promotedAt: null, retiredAt: null };
  const kv = whenHoldersAreRead(rotation.kv, async () => {
    if (rotation.file()[0] === fresh) await writeKeyRotation(rotation.kv, await readKeyRotation(rotation.kv), other);
  });
  await expect(rotation.do("promote", kv)).rejects.toThrow(/another command began another rotation meanwhile/);
  expect(await rotation.recorded()).toEqual(other);
  expect(rotation.file()).toEqual([fresh, old]);
});

test("leaves the file as it was where a coordinator without the new key starts as the promotion begins", async () => {
  await using rotation = new Rotation();
  await rotation.do("stage");
  const [old = "", fresh = ""] = rotation.file();
  const late = {
    id: "late",
    name: "late",
    startedAt: 1,
    keys: [old],
    complaint: null,
    authority: null,
    registry: null,
  };
  const puts = [{ key: heldKeysKey(late.id), value: Buffer.from(JSON.stringify(late)) }];
  const kv = whenHoldersAreRead(rotation.kv, async () => {
    const isBegun = (await rotation.whyRefused(old)) !== null;
    if (isBegun) await rotation.kv.txn({ compares: [], puts, deletes: [] });
  });
  await expect(rotation.do("promote", kv)).rejects.toThrow(
    /not every coordinator has both keys: late seals with .* then repeat `secrets promote`\. .* is as it was; it is recorded that/,
  );
  expect(rotation.file()).toEqual([old, fresh]);
  await rotation.kv.txn({ compares: [], puts: [], deletes: [heldKeysKey(late.id)] });
  expect(await rotation.do("promote")).toEqual([fresh, old]);
});
