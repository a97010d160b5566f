/** `elastic-coordinator secrets stage`, `promote`, `reseal`, `retire`, and `rotate` for whichever is next */
import { systemClock } from "@elastic/std/clock.ts";
import { Command } from "commander";
import { COPY, type KeyStep, nextKeyStep, whyNotKeyStep } from "../rotation/key-steps.ts";
import { doKeyStep, type KeyRotationContext, type KeyStepDone, readKeyState } from "../rotation/rotate-key.ts";
import { keepRetiredKey } from "../secrets/keep-retired-key.ts";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { withOperatorStore } from "./operator-store.ts";
import { waitOption } from "./rotation-options.ts";
import { keyFileOf } from "./secrets-status.ts";
import { optionOf } from "./setting-options.ts";

interface Options {
  readonly wait: number;
  readonly skipRegistry?: true;
  readonly now?: true;
  readonly json?: true;
  readonly etcd?: string;
  readonly secretsKeyFile?: string;
}

const DESCRIPTIONS: Readonly<Record<KeyStep | "rotate", string>> = {
  stage: "write a new master key as the second one, and wait until every coordinator has it",
  promote: "seal with the second master key from now on; refused until every coordinator has it",
  reseal: "seal everything in the store again with the first master key; may be stopped and repeated",
  retire: "remove the second master key, into a file next to the key file; refused while anything needs it",
  rotate: "do the next step of the four, and name the one that follows",
};

export function secretsStepCommands(context: CommandContext): readonly Command[] {
  return (Object.keys(DESCRIPTIONS) as (KeyStep | "rotate")[]).map((name) => stepCommand(context, name));
}

function stepCommand(context: CommandContext, name: KeyStep | "rotate"): Command {
  const command = new Command(name).description(DESCRIPTIONS[name]).addOption(waitOption());
  if (name === "promote" || name === "rotate") {
    command.option("--skip-registry", "promote although the registry does not accept the new key's tokens");
  }
  if (name === "retire" || name === "rotate") {
    command.option("--now", "retire although links to results, say, which the old key signed are still good");
  }
  return command
    .option("--json", "print one JSON object")
    .addOption(optionOf("etcd"))
    .addOption(optionOf("secretsKeyFile"))
    .addHelpText("after", examples(`elastic-coordinator secrets ${name}`, "elastic-coordinator secrets status"))
    .action(({ wait, skipRegistry, now, json, etcd, secretsKeyFile }: Options) =>
      withOperatorStore(context, etcd, async (_, kv, store) => {
        const keyFile = keyFileOf(context, secretsKeyFile);
        const progress = (line: string): void => context.progress(line);
        const rotation = { kv, store, keyFile, clock: systemClock, progress, waitMs: 1000 * wait };
        const kept = await keepRetired(rotation, name, now === true);
        const done = await doKeyStep(rotation, name === "rotate" ? "next" : name, {
          isNow: now === true,
          skipsRegistry: skipRegistry === true,
        });
        refuseUnconfirmed(keyFile, done);
        return json ? asJson(done, kept) : asText(keyFile, done, kept);
      }),
    );
}

/** Before the step that removes the key, where it may be done: the path of the copy. Null for another step. */
async function keepRetired(
  rotation: KeyRotationContext,
  name: KeyStep | "rotate",
  isNow: boolean,
): Promise<string | null> {
  if (name !== "retire" && name !== "rotate") return null;
  const state = await readKeyState(rotation);
  const [, second] = state.file;
  const isRetiring = name === "retire" || nextKeyStep(state) === "retire";
  if (!isRetiring || second === undefined || whyNotKeyStep("retire", state, isNow) !== null) return null;
  return keepRetiredKey(rotation.keyFile, second);
}

function refuseUnconfirmed(keyFile: string, { step, unconfirmed }: KeyStepDone): void {
  if (unconfirmed.length === 0) return;
  throw new Error(
    `${step}: ${keyFile} is changed, and not confirmed by all coordinators: ${unconfirmed.join("; ")}. ` +
      `${COPY}, then repeat \`secrets ${step === "retire" ? "status" : step}\`: the next step is refused until all report it`,
  );
}

function whoHasIt(processes: number): string {
  return processes === 0 ? "no coordinator runs: copy the file to each before it starts" : "every coordinator has it";
}

function asJson({ step, keys, resealed }: KeyStepDone, kept: string | null): string {
  return JSON.stringify({ step, keys, resealed, ...(kept === null ? {} : { kept_in: kept }) });
}

function asText(keyFile: string, { step, keys, resealed, processes }: KeyStepDone, kept: string | null): string {
  const [seals, opens] = keys;
  switch (step) {
    case "stage":
      return (
        `Staged: key ${opens} is the second one in ${keyFile}, and ${whoHasIt(processes)}. Where there is a registry, ` +
        "give it the output of `elastic-coordinator registry-cert` and restart it.\n" +
        "Next: elastic-coordinator secrets promote"
      );
    case "promote":
      return processes === 0
        ? `Promoted: key ${seals} is the first one in ${keyFile}; no coordinator runs.\nNext: elastic-coordinator secrets reseal`
        : `Promoted: every coordinator seals with key ${seals}.\nNext: elastic-coordinator secrets reseal`;
    case "reseal": {
      const lines = resealed.map(({ what, resealed: count, unopened }) => {
        const left = unopened === 0 ? "" : `, and ${unopened} of keys that are not in the file, which stay as they are`;
        return `  ${what} (${count})${left}`;
      });
      return ["Sealed again:", ...lines, "Next: elastic-coordinator secrets retire"].join("\n");
    }
    case "retire":
      return (
        `Retired: key ${seals} is the only one. Backups from before need the old key, which is in ${kept}: move it to where you ` +
        "keep copies of the key file, and delete it once no backup needs it.\nWhere there is a registry, give it the output of " +
        "`elastic-coordinator registry-cert` once more."
      );
  }
}
