/** `elastic-coordinator upgrade start`: the agents of all nodes become another version, one node first and then in batches. */
import { systemClock } from "@elastic/std/clock.ts";
import { isVersion } from "@elastic/std/program-release/version-order.ts";
import { Command, InvalidArgumentError } from "commander";
import { startUpgrade } from "../agent-upgrades/order-upgrade.ts";
import { ConfigError } from "../config/config.ts";
import { BATCH_MAX } from "../domain/agent-upgrade.ts";
import { enrollmentAddress } from "../enrollment/enrollment-address.ts";
import { readAgentReleases } from "../program-releases/agent-releases.ts";
import { type ReleasesPlace, releasesPlace } from "../program-releases/releases-folder.ts";
import { upgradeJson, upgradeText } from "./agent-upgrade-text.ts";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { withOperatorStore } from "./operator-store.ts";
import { configOf, optionOf } from "./setting-options.ts";

interface Options {
  readonly version?: string;
  readonly canary?: string;
  readonly batch: number;
  readonly nodeWithin: number;
  readonly json?: true;
  readonly etcd?: string;
  readonly enrollAdvertise?: string;
  readonly releasesDir?: string;
  readonly releaseKeys?: string;
}

const BATCH_DEFAULT = 5;
/** Its drain included: proofs take minutes, and the agent's own limit is an hour. */
const NODE_MINUTES_DEFAULT = 75;
const NODE_MINUTES_MAX = 24 * 60;

export function upgradeStartCommand(context: CommandContext): Command {
  return new Command("start")
    .description("upgrade the agents of all nodes: one first, then batches; it pauses where a node or its tasks fail")
    .option("--version <version>", "of a release in --releases-dir; the newest if left out")
    .option("--canary <node>", "the node that goes first, alone; the first by name if left out")
    .option(
      "--batch <nodes>",
      `nodes at a time after the first, up to ${BATCH_MAX}`,
      numberUpTo(BATCH_MAX),
      BATCH_DEFAULT,
    )
    .option(
      "--node-within <minutes>",
      "how long a node may take, its drain included",
      numberUpTo(NODE_MINUTES_MAX),
      NODE_MINUTES_DEFAULT,
    )
    .option("--json", "print one JSON object")
    .addOption(optionOf("etcd"))
    .addOption(optionOf("enrollAdvertise"))
    .addOption(optionOf("releasesDir"))
    .addOption(optionOf("releaseKeys"))
    .addHelpText(
      "after",
      examples(
        "elastic-coordinator upgrade start",
        "elastic-coordinator upgrade start --canary gpu-7",
        "elastic-coordinator upgrade start --version 0.2.0 --batch 10",
      ),
    )
    .action(({ version, canary, batch, nodeWithin, json, etcd, ...flags }: Options) =>
      withOperatorStore(context, etcd, async (store, kv) => {
        const config = configOf(context, { roles: "http", ...flags });
        const address = enrollmentAddress(config, kv);
        if (address === null) {
          throw new ConfigError("where agents download releases is not known: give --enroll-advertise <host:port>");
        }
        const order = {
          version: await versionOf(releasesPlace(config), version ?? null),
          enrollmentAddress: address.coordinator,
          batchSize: batch,
          nodeWithinMs: 60_000 * nodeWithin,
          ...(canary === undefined ? {} : { canary }),
        };
        const upgrade = await startUpgrade(store, order, systemClock);
        return json ? upgradeJson(upgrade, store.view) : upgradeText(upgrade, store.view);
      }),
    );
}

/** Of a release that agents would accept. */
async function versionOf(place: ReleasesPlace, wanted: string | null): Promise<string> {
  if (wanted !== null && !isVersion(wanted)) throw new ConfigError(`--version ${wanted} is no version, such as 0.2.0`);
  const { releases, complaints } = await readAgentReleases(place);
  const found = releases.find(({ manifest }) => wanted === null || manifest.version === wanted);
  if (found !== undefined) return found.manifest.version;
  const why = complaints.length === 0 ? "" : ` (${complaints.join("; ")})`;
  throw new Error(
    `there is no signed release ${wanted === null ? "" : `${wanted} `}in ${place.folder}${why}: copy it to every coordinator first. Nothing was changed`,
  );
}

function numberUpTo(max: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d{1,4}$/.test(text) && number >= 1 && number <= max) return number;
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${max}.`);
  };
}
