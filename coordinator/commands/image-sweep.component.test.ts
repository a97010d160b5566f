/** The command as a separate process, on a real etcd and a real registry. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";
import { systemClock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import { type Etcd, startEtcd } from "@elastic/test/cluster/etcd.ts";
import { ociClient } from "@elastic/test/cluster/oci-client.ts";
import { type Registry, startRegistry } from "@elastic/test/cluster/registry.ts";
import { makeWorkFolder } from "@elastic/test/cluster/work-folder.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { registryImageId } from "../domain/registry-image.ts";
import { authorityBundle, registryAuthorities } from "../registry/authority.ts";
import { openOwnRegistry } from "../registry/own-registry.ts";
import { openSecrets } from "../secrets/secrets.ts";
import { replace } from "../store/change.ts";
import { connectEtcd } from "../store/etcd/etcd-kv.ts";
import { openStore } from "../store/open/open-store.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const SERVICE = "elastic-registry";
const ISSUER = "elastic";
const SLOWLY = { timeout: 120_000 };
const REPOSITORY = `${newId(1)}/prover`;
const log = createLog({ name: "test", level: "silent" });

const folder = makeWorkFolder();
const keyFile = join(folder.path, "keys");
let etcd: Etcd;
let registry: Registry;
beforeAll(async () => {
  [etcd, registry] = await Promise.all([startEtcd(), startRegistry()]);
  const certificates = authorityBundle(registryAuthorities(openSecrets({ keyFile })));
  await registry.demandTokens({ realm: "http://127.0.0.1:1/", service: SERVICE, issuer: ISSUER, certificates });
});
afterAll(async () => {
  await Promise.all([etcd[Symbol.asyncDispose](), registry[Symbol.asyncDispose]()]);
  folder[Symbol.dispose]();
});

/** Runs `elastic-coordinator image sweep` to its end. */
function sweep(...args: readonly string[]): Promise<{ readonly code: number | null; stdout: string; stderr: string }> {
  const env = {
    ...COMPILE_CACHE,
    ELASTIC_ETCD: etcd.endpoint,
    ELASTIC_REGISTRY: `http://${registry.host}`,
    ELASTIC_SECRETS_KEY_FILE: keyFile,
  };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, "image", "sweep", ...args], { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

/** Makes an image one that nothing has used since 1970. */
async function age(digest: string): Promise<void> {
  const kv = connectEtcd({ endpoints: [etcd.endpoint], log });
  const store = await openStore({ kv, clock: systemClock, log });
  const read = await store.get("registry-images", registryImageId({ repository: REPOSITORY, digest }));
  if (read === null) throw new Error("the image has no record");
  await store.commit([replace("registry-images", read, { ...read.value, unusedSince: 0 })]);
  await store.close();
  await kv.close();
}

test("lists what is due without changing anything, and deletes it without --dry-run", SLOWLY, async () => {
  const address = { host: registry.host, base: `http://${registry.host}` };
  const own = openOwnRegistry({ address, service: SERVICE, issuer: ISSUER }, openSecrets({ keyFile }), systemClock);
  const access = [{ type: "repository", name: REPOSITORY, actions: ["pull", "push"] }] as const;
  const client = ociClient(registry.host, own.issueToken("test", access).text);
  const digest = await client.pushImage(REPOSITORY, "v1", "layer");
  expect(await sweep("--dry-run", "--json")).toMatchObject({ code: 0, stdout: "[]\n" });
  expect(await sweep("--json")).toMatchObject({ code: 0, stdout: '{"deleted":0,"bytes":0}\n' });
  await age(digest);
  const listed = await sweep("--dry-run", "--json");
  const image = { repository: REPOSITORY, digest, tags: ["v1"], unused_since: "1970-01-01T00:00:00.000Z" };
  expect(JSON.parse(listed.stdout)).toEqual([{ ...image, bytes: expect.any(Number) }]);
  const text = (await sweep("--dry-run")).stdout;
  expect(text).toContain(`${REPOSITORY}@${digest}`);
  expect(text).toContain("1 image would be deleted");
  const isThere = async () => (await client.request("GET", `${REPOSITORY}/manifests/v1`)).status;
  expect(await isThere()).toBe(200);
  expect((await sweep()).stdout).toContain("deleted 1 image of");
  expect(await isThere()).toBe(404);
});

test("says what is missing, and that nothing was changed", SLOWLY, async () => {
  const without = await sweep("--secrets-key-file", join(folder.path, "nowhere"));
  expect(without.code).toBe(2);
  expect(await sweep("--registry", "")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("set ELASTIC_REGISTRY"),
  });
  expect(without.stderr).toContain("--secrets-key-file; nothing was changed");
  expect(await sweep("--image-retention", "0")).toMatchObject({ code: 2 });
  const away = await sweep("--dry-run", "--registry", "http://127.0.0.1:1");
  expect(away.code).toBe(1);
  expect(away.stderr).toMatch(
    /the repositories of 127\.0\.0\.1:1 cannot be listed: .+\. Start the registry, .*nothing was changed\n$/,
  );
});
