/** `elastic-coordinator secrets status` */
import { existsSync } from "node:fs";
import { systemClock } from "@elastic/std/clock.ts";
import { Command } from "commander";
import { ConfigError } from "../config/config.ts";
import { describeHolder, keyPhase, nextKeyStep, whyNotKeyStep } from "../rotation/key-steps.ts";
import { type ReadKeyState, readKeyState } from "../rotation/rotate-key.ts";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { withOperatorStore } from "./operator-store.ts";
import { configOf, optionOf } from "./setting-options.ts";

interface Options {
  readonly json?: true;
  readonly etcd?: string;
  readonly secretsKeyFile?: string;
}

export function secretsStatusCommand(context: CommandContext): Command {
  return new Command("status")
    .description("show the keys of this machine's file and of each coordinator, what each sealed, and the next step")
    .option("--json", "print one JSON object")
    .addOption(optionOf("etcd"))
    .addOption(optionOf("secretsKeyFile"))
    .addHelpText("after", examples("elastic-coordinator secrets status", "elastic-coordinator secrets status --json"))
    .action(({ json, etcd, secretsKeyFile }: Options) =>
      withOperatorStore(context, etcd, async (store, kv) => {
        const keyFile = keyFileOf(context, secretsKeyFile);
        const clock = systemClock;
        const state = await readKeyState({ kv, store, keyFile, clock, progress: () => undefined, waitMs: 0 });
        return json ? JSON.stringify(asJson(keyFile, state)) : asText(keyFile, state);
      }),
    );
}

/** Throws ConfigError where there is none: made here it would be nobody's. */
export function keyFileOf(context: CommandContext, given: string | undefined): string {
  const flags = given === undefined ? {} : { secretsKeyFile: given };
  const { secretsKeyFile: keyFile } = configOf(context, { roles: "http", ...flags });
  if (existsSync(keyFile)) return keyFile;
  throw new ConfigError(
    `there is no ${keyFile}: name the coordinators' key file, --secrets-key-file (ELASTIC_SECRETS_KEY_FILE). Nothing was changed`,
  );
}

function asJson(keyFile: string, state: ReadKeyState) {
  const next = nextKeyStep(state);
  return {
    key_file: keyFile,
    keys: state.file,
    phase: keyPhase(state).kind,
    coordinators: state.holders.known.map(({ name, keys, complaint }) => ({ name, keys, complaint })),
    not_reporting: state.holders.silent,
    sealed: state.counts.map(({ what, keyId, count }) => ({ what, key: keyId, count })),
    next_step: next,
    refused: whyNotKeyStep(next, state),
  };
}

function asText(keyFile: string, state: ReadKeyState): string {
  const { file, holders, counts } = state;
  const next = nextKeyStep(state);
  const why = whyNotKeyStep(next, state);
  const places = Map.groupBy(counts, ({ keyId }) => keyId);
  return [
    `${keyFile}: key ${file[0]} seals${file[1] === undefined ? "" : `, key ${file[1]} opens`}`,
    ...holders.known.map(describeHolder),
    ...holders.silent.map((address) => `${address} runs an earlier version, which does not report its keys`),
    ...[...places].map(([keyId, of]) => {
      const known = file.includes(keyId) ? "" : ", which is not in the file";
      return `sealed with key ${keyId}${known}: ${of.map(({ what, count }) => `${what} (${count})`).join(", ")}`;
    }),
    why === null ? `next: elastic-coordinator secrets ${next}` : `next: secrets ${next}, refused for now: ${why}`,
  ].join("\n");
}
