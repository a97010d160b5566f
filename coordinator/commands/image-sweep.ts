/** `elastic-coordinator image sweep`: what the leader does once an hour, now; or what it would delete. */

import { existsSync } from "node:fs";
import { type Clock, type Instant, systemClock } from "@elastic/std/clock.ts";
import { counted } from "@elastic/std/counted.ts";
import { createLog } from "@elastic/std/log.ts";
import { Command } from "commander";
import { ConfigError } from "../config/config.ts";
import type { RegistryImage } from "../domain/registry-image.ts";
import { openOwnRegistry } from "../registry/own-registry.ts";
import { type LookOptions, lookAtRegistry } from "../registry/unused/look-at-registry.ts";
import { planSweep } from "../registry/unused/plan-sweep.ts";
import { sweepImages } from "../registry/unused/sweep-images.ts";
import { UNSUPPORTED } from "../registry/unused/sweep-images-loop.ts";
import { openSecrets } from "../secrets/secrets.ts";
import { metaOf, SWEPT_AFTER_ACCEPTANCE_MS } from "../store/identity/meta.ts";
import { META_KEY } from "../store/keys.ts";
import type { Kv } from "../store/kv.ts";
import type { Store } from "../store/store.ts";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { withOperatorStore } from "./operator-store.ts";
import { configOf, type Flags, optionOf } from "./setting-options.ts";

const DAY_MS = 86_400_000;

interface Options extends Flags {
  readonly dryRun?: true;
  readonly json?: true;
}

export function imageSweepCommand(context: CommandContext): Command {
  return new Command("sweep")
    .description("delete the images in this service's registry that nothing has used for the retention, now")
    .option("--dry-run", "list what would be deleted, and delete nothing")
    .option("--json", "print one JSON array of the images; without --dry-run one object")
    .addOption(optionOf("etcd"))
    .addOption(optionOf("registry"))
    .addOption(optionOf("registryService"))
    .addOption(optionOf("registryIssuer"))
    .addOption(optionOf("imageRetention"))
    .addOption(optionOf("shellImages"))
    .addOption(optionOf("secretsKeyFile"))
    .addHelpText(
      "after",
      `
Give it the settings of the coordinators. The leader does the same once an hour. What an image is used by: deployments, builds
and shells. The registry frees the room in its next garbage collection.
${examples("elastic-coordinator image sweep --dry-run", "elastic-coordinator image sweep --dry-run --json | jq '.[].digest'")}`,
    )
    .action(({ dryRun, json, ...flags }: Options) =>
      withOperatorStore(context, flags.etcd, async (store, kv) => {
        const { graceMs, ...look } = registryOf(context, flags);
        const options = { ...look, kv, clock: systemClock };
        process.stderr.write(`reading the images of ${look.registry.host}\n`);
        if (dryRun) return await listDue(options, graceMs, json === true);
        return await sweepNow({ ...options, store, graceMs }, json === true);
      }),
    );
}

function registryOf(context: CommandContext, flags: Flags) {
  const config = configOf(context, { roles: "http", ...flags });
  const { registry: address, registryService: service, registryIssuer: issuer, secretsKeyFile: keyFile } = config;
  if (address === null)
    throw new ConfigError("this service has no registry: set ELASTIC_REGISTRY; nothing was changed");
  if (config.imageRetention === null) throw new ConfigError("ELASTIC_IMAGE_RETENTION is never; nothing was changed");
  if (!existsSync(keyFile)) {
    throw new ConfigError(
      `there is no ${keyFile}: name the coordinators' key file, --secrets-key-file; nothing was changed`,
    );
  }
  return {
    registry: openOwnRegistry({ address, service, issuer }, openSecrets({ keyFile }), systemClock),
    shellImages: [...config.shellImages.values()],
    graceMs: DAY_MS * config.imageRetention,
  };
}

type Sweeping = LookOptions & { readonly kv: Kv; readonly clock: Clock };

async function listDue(options: Sweeping, graceMs: number, isJson: boolean): Promise<string> {
  const now = options.clock.now();
  const look = await lookAtRegistry(options, now);
  if (look.unread.size > 0) {
    const why = look.lastError instanceof Error ? look.lastError.message : String(look.lastError);
    throw new Error(`these repositories cannot be read: ${[...look.unread].join(", ")} (${why}). Nothing was changed`);
  }
  const { images, due } = planSweep(look.images, look.tagged, look.references, { graceMs, now });
  const tags = Map.groupBy(look.tagged, ([tag, digest]) => `${tag.slice(0, tag.lastIndexOf(":"))}@${digest}`);
  const listed = due.map(({ id, repository, digest, bytes, unusedSince }) => ({
    repository,
    digest,
    tags: (tags.get(id) ?? []).map(([tag]) => tag.slice(tag.lastIndexOf(":") + 1)),
    bytes,
    unused_since: new Date(unusedSince ?? now).toISOString(),
  }));
  if (isJson) return JSON.stringify(listed);
  const lines = listed.map((image) =>
    `${image.repository}@${image.digest}  ${image.bytes} bytes  unused since ${image.unused_since.slice(0, 19)} UTC  ${image.tags.join(", ")}`.trimEnd(),
  );
  const waiting = images.filter(({ unusedSince }) => unusedSince !== null).length - due.length;
  const last = `${counted(due.length, "image")} would be deleted, ${bytesOf(due)} bytes; unused for less time: ${waiting}. Nothing was changed.`;
  return [...lines, last].join("\n");
}

async function sweepNow(
  options: Sweeping & { readonly store: Store; readonly graceMs: number },
  isJson: boolean,
): Promise<string> {
  const [meta] = (await options.kv.read([META_KEY])).entries;
  const acceptedAt = metaOf(meta)?.acceptedAt ?? Number.NEGATIVE_INFINITY;
  if (options.clock.now() < acceptedAt + SWEPT_AFTER_ACCEPTANCE_MS) {
    throw new Error(
      `another state of etcd was accepted on ${timestamp(acceptedAt)} UTC, and for a day nothing is swept: newer data may refer to the images. Nothing was changed`,
    );
  }
  const log = createLog({ name: "elastic-coordinator", level: "silent" });
  const { deleted, bytes, isUnsupported } = await sweepImages({
    ...options,
    mayDelete: () => true,
    onDeleted: () => undefined,
    log,
  });
  if (isUnsupported) throw new Error(UNSUPPORTED);
  if (isJson) return JSON.stringify({ deleted, bytes });
  return `deleted ${counted(deleted, "image")} of ${bytes} bytes; the registry's garbage collection frees them`;
}

function bytesOf(images: readonly RegistryImage[]): number {
  return images.reduce((sum, { bytes }) => sum + bytes, 0);
}

function timestamp(at: Instant): string {
  return new Date(at).toISOString().slice(0, 19);
}
