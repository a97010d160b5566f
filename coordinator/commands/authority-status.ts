/** `elastic-coordinator authority status` */
import { systemClock } from "@elastic/std/clock.ts";
import { Command } from "commander";
import { rootOf } from "../enrollment/authority-record.ts";
import { cutOffByRetiring, nextAuthorityStep, whyNotAuthorityStep } from "../rotation/authority-steps.ts";
import { type ReadAuthorityState, readAuthorityState } from "../rotation/rotate-authority.ts";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { withOperatorStore } from "./operator-store.ts";
import { optionOf } from "./setting-options.ts";

interface Options {
  readonly json?: true;
  readonly etcd?: string;
}

export function authorityStatusCommand(context: CommandContext): Command {
  return new Command("status")
    .description("show the roots of the nodes' certificates, who has which, and the next step")
    .option("--json", "print one JSON object")
    .addOption(optionOf("etcd"))
    .addHelpText("after", examples("elastic-coordinator authority status"))
    .action(({ json, etcd }: Options) =>
      withOperatorStore(context, etcd, async ({ view }, kv) => {
        const state = await readAuthorityState({ kv, view, clock: systemClock });
        return json ? JSON.stringify(asJson(state)) : asText(state);
      }),
    );
}

function rootsOf({ record }: ReadAuthorityState) {
  const roots = [
    { role: "issues", certificate: record.certificate },
    ...(record.next === undefined ? [] : [{ role: "staged", certificate: record.next.certificate }]),
    ...(record.previous === undefined ? [] : [{ role: "to be retired", certificate: record.previous.certificate }]),
  ];
  return roots.map(({ role, certificate }) => {
    const { sha256, validTo } = rootOf(certificate);
    return { role, sha256, ends: new Date(validTo).toISOString() };
  });
}

function asJson(state: ReadAuthorityState) {
  const next = nextAuthorityStep(state);
  return {
    roots: rootsOf(state),
    coordinators: state.holders.known.flatMap(({ name, authority, complaint }) =>
      authority === null ? [] : [{ name, ...authority, complaint }],
    ),
    not_reporting: state.holders.silent,
    cut_off_by_retiring: state.record.previous === undefined ? [] : cutOffByRetiring(state),
    next_step: next,
    refused: whyNotAuthorityStep(next, state),
  };
}

function asText(state: ReadAuthorityState): string {
  const { roots, coordinators, not_reporting, next_step, refused } = asJson(state);
  return [
    ...roots.map(({ role, sha256, ends }) => `root ${sha256} ${role}, valid until ${ends.slice(0, 19)}Z`),
    ...coordinators.map(({ name, issues, trusts, complaint }) => {
      const others = trusts.filter((one) => one !== issues);
      const also = others.length === 0 ? "" : ` and trusts ${others.join(", ")}`;
      return `${name} issues from root ${issues}${also}${complaint === null ? "" : ` (${complaint})`}`;
    }),
    ...not_reporting.map((address) => `${address} runs an earlier version, which does not report its roots`),
    refused === null
      ? `next: elastic-coordinator authority ${next_step}`
      : `next: authority ${next_step}, refused for now: ${refused}`,
  ].join("\n");
}
