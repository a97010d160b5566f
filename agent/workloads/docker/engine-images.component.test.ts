/** Images of a real engine, fetched from a real registry: which of them are evicted. How full its disk is, the test says. */
import { join } from "node:path";
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { startEngine, whyNoEngineHere } from "@elastic/test/cluster/engine.ts";
import { startRegistry } from "@elastic/test/cluster/registry.ts";
import Docker from "dockerode";
import { afterAll, expect, test } from "vitest";
import { pushBusybox } from "../../builds/testing/push-busybox.ts";
import { keepDisks } from "../../disks/keep-disks.ts";
import { openImageLedger } from "../../images/image-ledger.ts";
import { removeTemporaryFolders, temporaryFolder } from "../../testing/temporary-folder.ts";
import { probeEngine } from "./engine.ts";
import { engineImages } from "./engine-images.ts";
import { pullImage } from "./pull-image.ts";

afterAll(removeTemporaryFolders);

const noEngine = await whyNoEngineHere();
const log = createLog({ name: "test", level: "silent" });
const NAMES = ["assigned", "of-a-container", "oldest", "newer", "of-others"] as const;

test.skipIf(noEngine !== null)("evicts images that the agent fetched and nothing needs, the oldest first", async () => {
  await using parts = new AsyncDisposableStack();
  const [running, registry] = await Promise.all([startEngine(), startRegistry()]);
  parts.use(running);
  parts.use(registry);
  const docker = new Docker({ socketPath: running.socket });
  const engine = await probeEngine(running.socket);
  const images = await Promise.all(NAMES.map((name) => pushed(registry.host, name)));
  const [assigned = "", ofContainer = "", oldest = "", newer = "", ofOthers = ""] = images;
  parts.defer(async () => {
    for (const image of images) await removed(docker, image);
  });

  const ledger = await openImageLedger({ file: join(temporaryFolder(), "images.json"), clock: systemClock, log });
  const pulling = {
    onBytes: () => undefined,
    right: async () => null,
    images: ledger,
    signal: new AbortController().signal,
  };
  // Present before the agent needs it, and so not its own.
  await pullImage(docker, ofOthers, { ...pulling, images: { ...ledger, fetching: async () => undefined } });
  for (const image of images) await pullImage(docker, image, pulling);
  const container = await docker.createContainer({ Image: ofContainer });
  parts.defer(() => container.remove({ force: true, v: true }));
  ledger.want(new Set(images));
  for (const left of [[assigned, newer], [assigned]]) ledger.want(new Set(left));

  const kept = async (): Promise<readonly string[]> => {
    const there = await Promise.all(images.map((image) => isThere(docker, image)));
    return NAMES.filter((_, at) => there[at]);
  };
  expect(await kept()).toEqual(NAMES);
  const keepWhile = async (isFull: () => Promise<boolean>) => {
    const disks = await keepDisks({
      folders: () => ["/state"],
      stores: [engineImages(() => engine, ledger)],
      marks: { highPercent: 90, lowPercent: 80 },
      readUsage: async () => ({ device: 1, usedPercent: (await isFull()) ? 95 : 50 }),
      onChange: () => undefined,
      log,
    });
    await disks.stop();
    return disks.pressure();
  };
  expect(await keepWhile(() => isThere(docker, oldest))).toBeNull();
  expect(await kept()).toEqual(["assigned", "of-a-container", "newer", "of-others"]);
  expect(await keepWhile(async () => true)).toMatch(/nothing on it can be evicted/);
  expect(await kept()).toEqual(["assigned", "of-a-container", "of-others"]);
  // It can be fetched again.
  await pullImage(docker, oldest, pulling);
  expect(await isThere(docker, oldest)).toBe(true);
});

/** One that differs from the others, by its digest. */
async function pushed(host: string, name: string): Promise<string> {
  await pushBusybox(host, null, { repository: `evicted/${name}`, more: [{ name }] });
  const accept = "application/vnd.oci.image.manifest.v1+json";
  const response = await fetch(`http://${host}/v2/evicted/${name}/manifests/1`, {
    method: "HEAD",
    headers: { accept },
  });
  return `${host}/evicted/${name}@${response.headers.get("docker-content-digest")}`;
}

function isThere(docker: Docker, image: string): Promise<boolean> {
  return docker
    .getImage(image)
    .inspect()
    .then(
      () => true,
      () => false,
    );
}

async function removed(docker: Docker, image: string): Promise<void> {
  await docker
    .getImage(image)
    .remove({ force: true })
    .catch(() => undefined);
}
