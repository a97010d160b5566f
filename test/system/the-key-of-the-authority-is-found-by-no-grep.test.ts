import { createHash, createPrivateKey } from "node:crypto";
import { openSecrets } from "@elastic/coordinator/secrets/secrets.ts";
import { AUTHORITY_KEY } from "@elastic/coordinator/store/keys.ts";
import { expect, test } from "vitest";
import { secretsKeyFile } from "../cluster/coordinator.ts";
import { startEnrolledFleet } from "../cluster/enrolled-fleet.ts";
import { dumpOf, filesOf, type Place, spellings } from "../cluster/search-places.ts";

test("the key that nodes' certificates are signed with, and tokens for them, are in no key of etcd, no file and no log", async () => {
  await using fleet = await startEnrolledFleet({ machines: 1, certificateSeconds: 60 });
  const [machine] = fleet.machines;
  if (machine === undefined) throw new Error("a machine was started");
  const [used, open] = [await fleet.token("--node", "gpu-1"), await fleet.token()];
  await fleet.paste(machine, used, "one");
  await fleet.start(machine, "one");

  const { cluster } = fleet;
  const etcd = await dumpOf(cluster.etcd.endpoint);
  const key = authorityKey(etcd, secretsKeyFile(cluster.folder));
  const places = [...etcd, ...(await filesOf(cluster.folder))];
  // What is searched is what is there.
  expect(namesOf(places, Buffer.from("gpu-1"))).not.toEqual([]);
  const tokens = [used, open].map((line) => /ejt_\w+?_(\w+)/.exec(line)?.[1] ?? "");
  expect(tokens.map(({ length }) => length > 20)).toEqual([true, true]);
  const scalar = Buffer.from(key.export({ format: "jwk" }).d ?? "", "base64url");
  expect(scalar.length).toBe(32);
  for (const hidden of [scalar, scalar.toString("hex"), ...tokens].flatMap(spellings)) {
    expect(namesOf(places, hidden)).toEqual([]);
  }
});

/** As whoever has the store and the master keys has it, and nobody else. */
function authorityKey(etcd: readonly Place[], keyFile: string) {
  const record = etcd.find(({ name }) => name === AUTHORITY_KEY)?.bytes.toString() ?? "";
  const { certificate, sealedKey } = JSON.parse(record) as Readonly<Record<"certificate" | "sealedKey", string>>;
  const digest = createHash("sha256").update(Buffer.from(certificate, "base64")).digest("hex");
  const opened = openSecrets({ keyFile }).open(sealedKey, `node-authority/${digest}`);
  return createPrivateKey({ key: opened, type: "pkcs8", format: "der" });
}

function namesOf(places: readonly Place[], hidden: string | Buffer): readonly string[] {
  return places.filter(({ bytes }) => bytes.includes(hidden)).map(({ name }) => name);
}
