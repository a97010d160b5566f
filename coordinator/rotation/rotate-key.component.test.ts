/** The steps on a real etcd, with coordinators that publish what they hold and write while everything is sealed again. */

import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { type Etcd, startEtcd } from "@elastic/test/cluster/etcd.ts";
import { startRegistry } from "@elastic/test/cluster/registry.ts";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import type { Deployment } from "../domain/deployment.ts";
import { aDeployment, aPool, aShell, aWebhook } from "../domain/testing/records.ts";
import { openAuthority, readOrCreateAuthority } from "../enrollment/authority.ts";
import { staged } from "../enrollment/authority-record.ts";
import { authorityBundle, registryAuthorities } from "../registry/authority.ts";
import { openOwnRegistry } from "../registry/own-registry.ts";
import { openEnv, sealEnv } from "../secrets/deployment-env.ts";
import { LiveSecrets } from "../secrets/live-secrets.ts";
import { newPoolSecret, openPoolSecret } from "../secrets/pool-secret.ts";
import { openSecrets } from "../secrets/secrets.ts";
import { openShellPassword, sealShellPassword } from "../secrets/shell-password.ts";
import { newWebhookSecret, openWebhookSecrets } from "../secrets/webhook-secrets.ts";
import { readOrCreateHostKey } from "../shells/host-key.ts";
import { openCredential, sealCredential } from "../source-hosts/seal-credential.ts";
import { readAuthority, replaceAuthority } from "../store/authority-claim.ts";
import { create } from "../store/change.ts";
import { connectEtcd } from "../store/etcd/etcd-kv.ts";
import { type HeldKeys, publishHeldKeys } from "../store/held-keys.ts";
import type { Kv } from "../store/kv.ts";
import { openStore } from "../store/open/open-store.ts";
import type { Store } from "../store/store.ts";
import { updateRecord } from "../store/update.ts";
import { reseal } from "./reseal.ts";
import { doKeyStep, type KeyRotationContext, readKeyState } from "./rotate-key.ts";
import { countSealed, sumByKey } from "./sealed-counts.ts";

const log = createLog({ name: "test", level: "silent" });
const CAREFUL = { isNow: false, skipsRegistry: false };
const NOW = { isNow: true, skipsRegistry: false };
const DEPLOYMENTS = 40;
const WRITTEN_AT_ONCE = 8;
const SERVICE = { id: "0".repeat(32) };

let etcd: Etcd;
let kv: Kv;
let store: Store;

beforeAll(async () => {
  etcd = await startEtcd();
  kv = connectEtcd({ endpoints: [etcd.endpoint], log });
  store = await openStore({ kv, clock: systemClock, log });
});

afterAll(async () => {
  await store?.close();
  await kv?.close();
  await etcd?.[Symbol.asyncDispose]();
});

let dir: string;
let keyFile: string;

beforeEach(async () => {
  for (const prefix of [
    "/elastic/v1/records/",
    "/elastic/v1/unwatched/",
    "/elastic/v1/node-authority",
    "/elastic/v1/ssh-host-key",
    "/elastic/v1/key-rotation",
  ]) {
    const { entries } = await kv.range(prefix, { limit: 500 });
    await kv.txn({ compares: [], puts: [], deletes: entries.map(({ key }) => key) });
  }
  dir = mkdtempSync(join(tmpdir(), "rotate-key-"));
  keyFile = join(dir, "keys");
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
});

interface Coordinator {
  readonly secrets: LiveSecrets;
  stop(): Promise<void>;
}

let coordinators = 0;

async function startCoordinator(
  given: { readonly registry?: HeldKeys["registry"]; readonly keyFile?: string } = {},
): Promise<Coordinator> {
  const secrets = new LiveSecrets({ keyFile: given.keyFile ?? keyFile, log });
  const id = `c${++coordinators}`;
  const read = (): HeldKeys => ({
    id,
    name: id,
    startedAt: coordinators,
    keys: secrets.keyIds(),
    complaint: secrets.complaint(),
    authority: null,
    registry: given.registry ?? null,
  });
  const unpublish = await publishHeldKeys({ kv, id, read, log });
  let isStopped = false;
  const stop = async (): Promise<void> => {
    if (isStopped) return;
    isStopped = true;
    secrets.stop();
    await unpublish();
  };
  onTestFinished(stop);
  return { secrets, stop };
}

function context(given: { readonly waitMs?: number; readonly clock?: Clock } = {}): KeyRotationContext {
  return { kv, store, keyFile, clock: systemClock, progress: () => undefined, waitMs: 20_000, ...given };
}

/** One of each kind that is sealed, but grants, which last minutes; and many deployments. */
async function sealEverything(secrets: LiveSecrets) {
  const deployments = Array.from({ length: DEPLOYMENTS }, (_, index) => {
    const bare = aDeployment({ serviceId: SERVICE.id });
    return { ...bare, tag: "0", sealedEnv: sealEnv(secrets, bare.id, { TOKEN: String(index) }) };
  });
  for (const deployment of deployments) await store.commit([create("deployments", deployment)]);
  const bare = aWebhook(SERVICE);
  const webhookSecret = newWebhookSecret(secrets, bare.id);
  const webhook = { ...bare, secrets: [{ sealed: webhookSecret.sealed, endsAt: null }] };
  const bareShell = aShell();
  const shell = { ...bareShell, sealedPassword: sealShellPassword(secrets, bareShell.id, "swordfish") };
  const of = { connectionId: "c", repositoryId: "r", host: "gitlab" } as const;
  const credential = sealCredential(secrets, { secret: "glpat", expiresAt: 1 }, of, 1);
  await store.commit([create("webhooks", webhook), create("shells", shell), create("source-credentials", credential)]);
  const { text: poolText, sealed } = newPoolSecret(secrets, "h100");
  const driver = { kind: "webhook", url: "https://driver.example/", secret: { sealed } } as const;
  await store.commit([create("pools", aPool({ driver }))]);
  const hostKey = await readOrCreateHostKey(kv, secrets);
  await readOrCreateAuthority(kv, secrets, systemClock);
  const authority = await readAuthority(kv);
  if (authority === null) throw new Error("it was made");
  await replaceAuthority(kv, authority, staged(authority.record, secrets, Date.now()));
  return { deployments, webhook, webhookText: webhookSecret.text, poolText, shell, credential, hostKey };
}

async function read<K extends "deployments" | "webhooks" | "pools" | "shells" | "source-credentials">(
  kind: K,
  id: string,
) {
  const record = await store.get(kind, id);
  if (record === null) throw new Error(`${kind}/${id} is gone`);
  return record.value;
}

test("rotates the key under two coordinators: everything opens with the new key alone, and another rotation follows", async () => {
  const [one, two] = [await startCoordinator(), await startCoordinator()];
  const before = await sealEverything(one.secrets);
  const link = one.secrets.sign("result-url", "t");
  const [old = ""] = one.secrets.keyIds();

  const stage = await doKeyStep(context(), "next", CAREFUL);
  expect(stage).toMatchObject({ step: "stage", keys: [old, expect.any(String)], unconfirmed: [] });
  const [, fresh = ""] = stage.keys;
  // A coordinator that starts again reads the same file.
  await two.stop();
  const again = await startCoordinator();

  expect(await doKeyStep(context(), "next", CAREFUL)).toMatchObject({ step: "promote", keys: [fresh, old] });
  expect([one, again].map(({ secrets }) => secrets.keyIds())).toEqual(Array(2).fill([fresh, old]));
  await expect(doKeyStep(context(), "retire", NOW)).rejects.toThrow(/still sealed .* Nothing was changed/);
  expect(again.secrets.verify("result-url", "t", link)).toBe(true);

  const { step, resealed } = await doKeyStep(context(), "next", CAREFUL);
  expect(step).toBe("reseal");
  expect(Object.fromEntries(resealed.map(({ what, resealed: count }) => [what, count]))).toEqual({
    "environments of deployments": DEPLOYMENTS,
    webhooks: 1,
    "passwords of shells": 1,
    "credentials of repositories": 1,
    "grants of source hosts": 0,
    "drivers of pools": 1,
    "keys of the node authority": 1,
    "SSH host keys": 1,
  });
  expect([...sumByKey(await countSealed(kv)).keys()]).toEqual([fresh]);
  await expect(doKeyStep(context(), "retire", CAREFUL)).rejects.toThrow(/links to results until/);
  const dayLater = {
    ...systemClock,
    now: () => Date.now() + 26 * 3_600_000,
    monotonicMs: () => systemClock.monotonicMs(),
  };
  expect(await doKeyStep(context({ clock: dayLater }), "next", CAREFUL)).toMatchObject({
    step: "retire",
    keys: [fresh],
  });
  expect(readFileSync(keyFile, "utf8").trim().split("\n")).toHaveLength(1);

  const { secrets } = await startCoordinator();
  expect(secrets.keyIds()).toEqual([fresh]);
  const envs = await Promise.all(before.deployments.map(({ id }) => read("deployments", id)));
  expect(envs.map((one) => openEnv(secrets, one).TOKEN)).toEqual(envs.map((_, index) => String(index)));
  const [webhookKey] = openWebhookSecrets(secrets, await read("webhooks", before.webhook.id), 0);
  expect(before.webhookText).toBe(`whsec_${webhookKey?.toString("base64")}`);
  const { driver } = await read("pools", "h100");
  const poolKey = driver.kind === "webhook" ? openPoolSecret(secrets, "h100", driver.secret) : null;
  expect(before.poolText).toBe(`whsec_${poolKey?.toString("base64")}`);
  expect(openShellPassword(secrets, await read("shells", before.shell.id))).toBe("swordfish");
  expect(openCredential(secrets, await read("source-credentials", before.credential.id))).toBe("glpat");
  expect(await readOrCreateHostKey(kv, secrets)).toEqual(before.hostKey);
  const authority = await readAuthority(kv);
  expect(authority && openAuthority(authority.record, secrets).trusted.sha256).toHaveLength(2);
  expect(secrets.verify("result-url", "t", link)).toBe(false);

  expect(await doKeyStep(context(), "next", CAREFUL)).toMatchObject({
    step: "stage",
    keys: [fresh, expect.any(String)],
  });
});

test("seals again under writers without losing what they write, and continues after it was stopped", async () => {
  const { secrets } = await startCoordinator();
  const { deployments } = await sealEverything(secrets);
  await doKeyStep(context(), "stage", CAREFUL);
  const { keys } = await doKeyStep(context(), "promote", CAREFUL);
  const ids = deployments.map(({ id }) => id);

  // The first try breaks off in between.
  let left = 7;
  const breaking: Pick<Store, "get" | "commit"> = {
    get: (kind, id) => store.get(kind, id),
    commit: (changes) => (left-- > 0 ? store.commit(changes) : Promise.reject(new Error("etcd is away"))),
  };
  const resealing = { kv, secrets, progress: () => undefined };
  await expect(reseal({ ...resealing, store: breaking })).rejects.toThrow("etcd is away");
  const between = sumByKey(await countSealed(kv));
  expect(between.get(keys[0] ?? "")).toBe(7);

  // Each counts up in its record: a write that is lost is missing at the end.
  let isDone = false;
  const countUp = (id: string) =>
    updateRecord(
      store,
      "deployments",
      () => store.get("deployments", id),
      (one: Deployment) => ({ ...one, tag: String(Number(one.tag ?? 0) + 1) }),
    );
  const write = async (): Promise<number> => {
    let written = 0;
    while (!isDone || written < 2) {
      written += 1;
      // Not all at once: who wrote each of them without a pause would be faster than any other for ever.
      for (let at = 0; at < ids.length; at += WRITTEN_AT_ONCE) {
        await Promise.all(ids.slice(at, at + WRITTEN_AT_ONCE).map(countUp));
      }
    }
    return written;
  };
  const resealingUntilDone = reseal({ ...resealing, store }).finally(() => {
    isDone = true;
  });
  const [written, resealed] = await Promise.all([write(), resealingUntilDone]);
  expect(resealed.find(({ what }) => what === "environments of deployments")?.resealed).toBe(DEPLOYMENTS - 7);
  const after = await Promise.all(ids.map((id) => read("deployments", id)));
  expect(after.map(({ tag: text }) => text)).toEqual(ids.map(() => String(written)));
  expect(after.map((one) => openEnv(secrets, one).TOKEN)).toEqual(ids.map((_, index) => String(index)));
  expect([...sumByKey(await countSealed(kv)).keys()]).toEqual([keys[0]]);
});

test("waits for a coordinator with its own copy of the file, names it, and refuses the next step until it has the key", async () => {
  const { secrets } = await startCoordinator();
  const copy = join(dir, "copy");
  copyFileSync(keyFile, copy);
  const other = await startCoordinator({ keyFile: copy });
  const [old] = secrets.keyIds();
  const done = await doKeyStep(context({ waitMs: 3_000 }), "stage", CAREFUL);
  expect(done.unconfirmed).toEqual([expect.stringMatching(`^c${coordinators} seals with ${old}$`)]);
  await expect(doKeyStep(context(), "promote", CAREFUL)).rejects.toThrow(
    /copy this machine's there\. Nothing was changed/,
  );
  expect((await readKeyState(context())).file).toEqual(done.keys);
  copyFileSync(keyFile, copy);
  expect((await doKeyStep(context(), "stage", CAREFUL)).unconfirmed).toEqual([]);
  expect(other.secrets.keyIds()).toEqual(done.keys);
  // Promoted here, copied there.
  const promoting = doKeyStep(context(), "promote", CAREFUL);
  await expect.poll(() => secrets.keyIds()[0], { timeout: 10_000 }).toBe(done.keys[1]);
  copyFileSync(keyFile, copy);
  expect((await promoting).unconfirmed).toEqual([]);
});

test("promotes only once a real registry, restarted with what is printed, accepts tokens of the staged key", async () => {
  const registry = await startRegistry();
  onTestFinished(() => registry[Symbol.asyncDispose]());
  const [service, issuer] = ["elastic-registry", "elastic"];
  const restart = () => {
    const certificates = authorityBundle(registryAuthorities(openSecrets({ keyFile })));
    return registry.demandTokens({ realm: "http://127.0.0.1:1/", service, issuer, certificates });
  };
  const base = `http://${registry.host}`;
  const { secrets } = await startCoordinator({ registry: { base, service, issuer } });
  const address = { host: registry.host, base };
  const own = openOwnRegistry({ address, service, issuer }, secrets, systemClock);
  const isAccepted = async (): Promise<boolean> => {
    const headers = { authorization: `Bearer ${own.issueToken("test", []).text}` };
    return (await fetch(`${base}/v2/`, { headers })).ok;
  };
  await restart();
  const { keys } = await doKeyStep(context(), "stage", CAREFUL);
  await expect(doKeyStep(context(), "promote", CAREFUL)).rejects.toThrow(
    /does not accept tokens of key .* \(status 401\): put the output of `elastic-coordinator registry-cert`.*Nothing was changed/,
  );
  expect([secrets.keyIds(), await isAccepted()]).toEqual([keys, true]);
  await restart();
  expect(await isAccepted()).toBe(true);
  expect((await doKeyStep(context(), "promote", CAREFUL)).keys).toEqual([...keys].reverse());
  expect(await isAccepted()).toBe(true);
  await doKeyStep(context(), "reseal", CAREFUL);
  await doKeyStep(context(), "retire", NOW);
  await restart();
  expect(await isAccepted()).toBe(true);
});
