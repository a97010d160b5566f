/** `elastic-coordinator token create`: one line to paste on a machine that is to become a node. */
import { systemClock } from "@elastic/std/clock.ts";
import { Command, InvalidArgumentError, Option } from "commander";
import { ConfigError } from "../config/config.ts";
import {
  isNodeName,
  NODE_NAME_RULE,
  OPEN_TOKENS_MAX,
  TOKEN_SECONDS_DEFAULT,
  TOKEN_SECONDS_MAX,
} from "../domain/join-token.ts";
import { enrollLine } from "../enrollment/enroll-line.ts";
import { enrollmentAddress } from "../enrollment/enrollment-address.ts";
import { makeJoinToken } from "../enrollment/make-join-token.ts";
import { installLine } from "../program-releases/install-line.ts";
import { installOffer } from "../program-releases/install-offer.ts";
import { releasesPlace } from "../program-releases/releases-folder.ts";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { withOperatorStore } from "./operator-store.ts";
import { configOf, type Flags, optionOf } from "./setting-options.ts";

interface Options {
  readonly node?: string;
  readonly ttl: number;
  readonly json?: true;
  readonly etcd?: string;
  readonly enrollListen?: string;
  readonly enrollAdvertise?: string;
  readonly releasesDir?: string;
  readonly releaseKeys?: string;
  readonly installed?: true;
}

/** Of a listener on all addresses of its machine. */
const EVERY_ADDRESS = /^(0\.0\.0\.0|\[::\]):/;

const UNIT_SECONDS = { s: 1, m: 60, h: 3600 } as const;

export function tokenCreateCommand(context: CommandContext): Command {
  return new Command("create")
    .description("make a token with which one machine joins, once, and print the line to paste there")
    .option("--node <name>", "name of the node; the machine's own if left out", readNodeName)
    .addOption(
      new Option("--ttl <time>", "how long it works, such as 90s, 10m or 24h")
        .argParser(readTtl)
        .default(TOKEN_SECONDS_DEFAULT, `${TOKEN_SECONDS_DEFAULT / 60}m`),
    )
    .option("--json", "print one JSON object")
    .addOption(optionOf("etcd"))
    .addOption(optionOf("enrollListen"))
    .addOption(optionOf("enrollAdvertise"))
    .addOption(optionOf("releasesDir"))
    .addOption(optionOf("releaseKeys"))
    .option("--installed", "print the line for a machine where the agent is installed already")
    .addHelpText(
      "after",
      examples(
        "elastic-coordinator token create --node gpu-7",
        "elastic-coordinator token create --enroll-advertise control.example:8444 --ttl 1h",
        "elastic-coordinator token create --node gpu-7 --installed",
      ),
    )
    .action(({ node, ttl, json, etcd, installed, ...flags }: Options) =>
      withOperatorStore(context, etcd, async (store, kv) => {
        const config = configOf(context, { roles: "http", ...definedOf(flags) });
        const address = enrollmentAddress(config, kv);
        if (address === null) {
          throw new ConfigError(
            "where machines are enrolled is not known: give --enroll-advertise <host:port>, the address at which coordinators do it",
          );
        }
        if (EVERY_ADDRESS.test(address.coordinator)) {
          throw new ConfigError(
            `${address.coordinator} is where coordinators listen, and leads a machine to itself: give --enroll-advertise <host:port>, ` +
              "or set ELASTIC_ENROLL_ADVERTISE for the coordinators",
          );
        }
        const authority = await address.authority();
        if (authority === null) {
          throw new Error("this store has no authority yet: start a coordinator with --enroll-listen first");
        }
        const complaints: string[] = [];
        const offer = installed ? null : await installOffer(releasesPlace(config), (one) => complaints.push(one));
        for (const complaint of complaints) context.progress(complaint);
        if (offer === null && complaints.length > 0)
          context.progress(
            "no release can be installed, so the line is for a machine where the agent is installed already",
          );
        const nodeName = node ?? null;
        const made = await makeJoinToken(store, { nodeName, seconds: ttl, creatorId: null }, systemClock);
        if (made === null)
          throw new Error(`there are ${OPEN_TOKENS_MAX} open tokens: revoke some, or wait for their end`);
        const line = { coordinator: address.coordinator, token: made.text, nodeName };
        const command = enrollLine({ ...line, authoritySha256: authority.certificate });
        const installCommand =
          offer === null ? null : installLine({ ...line, authorityFileSha256: authority.file }, offer);
        if (!json) return installCommand ?? command;
        const expires = new Date(made.record.expiresAt).toISOString();
        return JSON.stringify({
          token: made.text,
          node_name: nodeName,
          expires,
          ca_sha256: authority.certificate,
          command,
          install_command: installCommand,
        });
      }),
    );
}

function definedOf(flags: Readonly<Record<string, string | undefined>>): Flags {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
}

function readNodeName(text: string): string {
  if (!isNodeName(text)) throw new InvalidArgumentError(`It is ${NODE_NAME_RULE}.`);
  return text;
}

function readTtl(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const seconds = Number(count) * UNIT_SECONDS[(unit ?? "s") as keyof typeof UNIT_SECONDS];
  if (!(seconds >= 1 && seconds <= TOKEN_SECONDS_MAX)) {
    throw new InvalidArgumentError("Give a time of up to a day, such as 90s, 10m or 24h.");
  }
  return seconds;
}
