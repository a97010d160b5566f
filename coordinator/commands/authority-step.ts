/** `elastic-coordinator authority stage`, `promote` and `retire` */
import { systemClock } from "@elastic/std/clock.ts";
import { Command } from "commander";
import type { AuthorityStep } from "../rotation/authority-steps.ts";
import { type AuthorityStepDone, doAuthorityStep } from "../rotation/rotate-authority.ts";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { withOperatorStore } from "./operator-store.ts";
import { waitOption } from "./rotation-options.ts";
import { keyFileOf } from "./secrets-status.ts";
import { optionOf } from "./setting-options.ts";

interface Options {
  readonly wait: number;
  readonly force?: true;
  readonly json?: true;
  readonly etcd?: string;
  readonly secretsKeyFile?: string;
}

const STEPS: readonly { readonly name: AuthorityStep; readonly does: string; readonly force: string | null }[] = [
  {
    name: "stage",
    does: "make a new root, which all coordinators and agents trust next to the one that issues",
    force: "stage although the root that issues ends before every machine has another certificate",
  },
  {
    name: "promote",
    does: "issue from the staged root from now on; refused until every coordinator trusts it",
    force: null,
  },
  {
    name: "retire",
    does: "trust the earlier root no longer; refused while a machine or a join line needs it",
    force: "retire all the same; those that need the earlier root are named, and cut off",
  },
];

export function authorityStepCommands(context: CommandContext): readonly Command[] {
  return STEPS.map(({ name, does, force }) => {
    const command = new Command(name).description(does).addOption(waitOption());
    if (force !== null) command.option("--force", force);
    return command
      .option("--json", "print one JSON object")
      .addOption(optionOf("etcd"))
      .addOption(optionOf("secretsKeyFile"))
      .addHelpText("after", examples(`elastic-coordinator authority ${name}`, "elastic-coordinator authority status"))
      .action(({ wait, force: isForced, json, etcd, secretsKeyFile }: Options) =>
        withOperatorStore(context, etcd, async ({ view }, kv) => {
          const keyFile = keyFileOf(context, secretsKeyFile);
          const progress = (line: string): void => context.progress(line);
          const rotation = { kv, view, keyFile, clock: systemClock, progress, waitMs: 1000 * wait };
          const done = await doAuthorityStep(rotation, name, { isForced: isForced === true });
          refuseUnconfirmed(done);
          return json ? asJson(done) : asText(done);
        }),
      );
  });
}

function refuseUnconfirmed({ step, unconfirmed }: AuthorityStepDone): void {
  if (unconfirmed.length === 0) return;
  throw new Error(
    `${step}: it is written, and not confirmed by all coordinators: ${unconfirmed.join("; ")}. Their logs say why; ` +
      "the next step is refused until all confirm (`authority status`)",
  );
}

function asJson({ step, root, cutOff }: AuthorityStepDone): string {
  return JSON.stringify({ step, root, cut_off: cutOff });
}

function asText({ step, root, cutOff }: AuthorityStepDone): string {
  switch (step) {
    case "stage":
      return `Staged: every coordinator trusts root ${root}.\nNext: elastic-coordinator authority promote`;
    case "promote":
      return (
        `Promoted: every coordinator issues from root ${root}. Machines that are up renew within a minute.\n` +
        "Next: elastic-coordinator authority retire"
      );
    case "retire": {
      const cut = cutOff.length === 0 ? "" : `\nCut off, enroll again: ${cutOff.join(", ")}`;
      return `Retired: root ${root} is the only one.${cut}`;
    }
  }
}
