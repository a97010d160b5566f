#!/usr/bin/env node
/** The agent's program. */
import { runCommandLine, USAGE_EXIT } from "@elastic/std/command-line.ts";
import { RELEASE_KEYS_FILE } from "@elastic/std/program-release/trusted-keys.ts";
import { Command, InvalidArgumentError } from "commander";
import { bench } from "./commands/bench.ts";
import { doctor } from "./commands/doctor.ts";
import { drain } from "./commands/drain.ts";
import { type EnrollOptions, enroll } from "./commands/enroll.ts";
import { run } from "./commands/run.ts";
import { status } from "./commands/status.ts";
import { INSTALLED, type UpgradeOptions, upgrade } from "./commands/upgrade.ts";
import { verifyRelease } from "./commands/verify-release.ts";
import { ConfigError, loadMachineConfig } from "./config/config.ts";
import { settingsHelp } from "./config/settings.ts";
import { AGENT_VERSION } from "./domain/agent-version.ts";
import type { DrainOrder } from "./drain/drain-orders.ts";
import { measureEnrolled } from "./enrollment/measure-enrolled.ts";

// Node warns of an address in the place of a name wherever a coordinator is given as one, which nobody here can change.
process.noDeprecation = true;

const examples = (...lines: readonly string[]): string =>
  ["", "Examples:", ...lines.map((line) => `  $ ${line}`)].join("\n");

const EXAMPLES = `
Settings come from the environment, as \`elastic-agent run --help\` lists them.

Examples:
  $ ELASTIC_COORDINATORS=control.example:8443 ELASTIC_TLS_CA=ca.pem ELASTIC_TLS_CERT=node.pem \\
    ELASTIC_TLS_KEY=node.key elastic-agent run
  $ echo ejt_… | elastic-agent enroll --coordinator control.example:8444 --token-file - --ca-sha256 9f86…
  $ elastic-agent doctor
  $ elastic-agent bench
  $ elastic-agent status --json
  $ elastic-agent drain --wait
  $ elastic-agent resume
  $ elastic-agent upgrade --check
`;

const RUN_HELP = `
Settings, from the environment:
${settingsHelp()}

Examples:
  $ elastic-agent run
  $ ELASTIC_LABELS=zone=a ELASTIC_SLOTS=4 elastic-agent run
`;

/** Of one figure: a device's figures together have a time limit. */
const BENCH_SECONDS_MAX = 120;

interface DrainFlags {
  readonly wait?: boolean;
  readonly stopShells?: boolean;
  readonly spot?: boolean;
}

const program = new Command("elastic-agent")
  .description("Runs provers on this machine for the Elastic Proving Service")
  .version(AGENT_VERSION)
  // The --version of `upgrade` is another one.
  .enablePositionalOptions()
  .addHelpText("after", EXAMPLES);

program
  .command("enroll")
  .description("make this machine a node, with the line that `elastic-coordinator token create` printed")
  .requiredOption("--coordinator <host:port>", "where machines are enrolled")
  .option("--token <token>", "works once, for this machine; other users here may see it in the list of processes")
  .option("--token-file <file>", "file with the token, - for standard input")
  .requiredOption("--ca-sha256 <digest>", "of the coordinators' authority: who cannot show it is no coordinator")
  .option("--node <name>", "name of the node; this machine's host name if left out")
  .option(
    "--machine <name>",
    "with a token of a pool: as the pool's driver names this machine; the node's name if left out",
  )
  .addHelpText(
    "after",
    examples(
      "echo ejt_… | elastic-agent enroll --coordinator control.example:8444 --token-file - --ca-sha256 9f86…",
      "elastic-agent enroll --coordinator control.example:8444 --token-file token.txt --ca-sha256 9f86…",
    ),
  )
  .action(async (options: EnrollOptions) => {
    console.log(await enroll(process.env, options));
    await follow(async (signal, onProgress) => {
      const text = await measureEnrolled(() => loadMachineConfig(process.env), { signal, onProgress });
      return { text, done: true };
    });
  });

program
  .command("run")
  .description("run the agent in the foreground")
  .addHelpText("after", RUN_HELP)
  .action(() => run(process.env));

program
  .command("status")
  .description("say how the agent on this machine is; exits 1 when none runs")
  .option("--json", "as one line of JSON")
  .addHelpText("after", examples("elastic-agent status", "elastic-agent status --json"))
  .action(async (options: { readonly json?: true }) => {
    const { text, running } = await status(process.env, { json: options.json ?? false });
    console.log(text);
    process.exitCode = running ? 0 : 1;
  });

program
  .command("drain")
  .description("accept no new work and let running work end; exits 1 when no coordinator responds")
  .option("--wait", "until nothing is left")
  .option("--stop-shells", "stop the shells here too; their homes stay")
  .option("--spot", "this machine is about to be taken away: stop the shells too, and let its pool replace it")
  .addHelpText(
    "after",
    examples("elastic-agent drain --wait", "elastic-agent drain --stop-shells --wait", "elastic-agent drain --spot"),
  )
  .action(({ wait = false, stopShells = false, spot = false }: DrainFlags) =>
    give(spot ? { kind: "drain", stopShells: true, spot: true } : { kind: "drain", stopShells }, wait),
  );

program
  .command("resume")
  .description("accept work again after a drain, whoever requested the drain")
  .addHelpText("after", examples("elastic-agent resume"))
  .action(() => give({ kind: "resume" }, false));

async function give(order: DrainOrder, wait: boolean): Promise<void> {
  await follow((signal, onProgress) => drain(process.env, order, { wait, signal, onProgress }));
}

type Long = (
  signal: AbortSignal,
  onProgress: (line: string) => void,
) => Promise<{ readonly text: string | null; readonly done: boolean }>;

/** Progress goes to stderr: one line that is overwritten on a terminal, else a line for each change. */
async function follow(act: Long): Promise<void> {
  const interrupted = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => interrupted.abort());
  const redraws = process.stderr.isTTY;
  const onProgress = (line: string) => process.stderr.write(redraws ? `\r\u001b[K${line}` : `${line}\n`);
  const { text, done } = await act(interrupted.signal, onProgress).finally(() => {
    if (redraws) process.stderr.write("\r\u001b[K");
  });
  if (text !== null) console.log(text);
  process.exitCode = done ? 0 : 1;
}

program
  .command("bench")
  .description("measure this machine's devices and its score; exits 1 when one could not be measured")
  .option("--json", "as one line of JSON")
  .option("--seconds <seconds>", "how long each figure is measured at least", secondsOf, 2)
  .addHelpText("after", examples("elastic-agent bench", "elastic-agent bench --seconds 10 --json"))
  .action(({ json = false, seconds }: { readonly json?: boolean; readonly seconds: number }) =>
    follow((signal, onProgress) => bench(process.env, { json, seconds, signal, onProgress })),
  );

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== "" && seconds >= 0 && seconds <= BENCH_SECONDS_MAX) return seconds;
  throw new InvalidArgumentError(`It must be a number of seconds, at most ${BENCH_SECONDS_MAX}.`);
}

program
  .command("doctor")
  .description("check everything the agent needs and say what to do; exits 1 when it cannot run")
  .option("--json", "as one line of JSON")
  .addHelpText("after", examples("elastic-agent doctor", "elastic-agent doctor --json"))
  .action(async (options: { readonly json?: true }) => {
    const { text, healthy } = await doctor(process.env, { json: options.json ?? false });
    console.log(text);
    process.exitCode = healthy ? 0 : 1;
  });

program
  .command("upgrade")
  .description(
    "install another version of the agent from the coordinator, and go back where it does not become healthy; exits 1 then",
  )
  .option("--version <version>", "the one to install; the newest if left out")
  .option("--check", "say what is offered, and change nothing")
  .option("--json", "with --check: as one line of JSON")
  .option("--rollback", "return to the version before, or to an older one that --version names")
  .option("--coordinator <host:port>", "where machines are enrolled; where this one was if left out")
  .option("--no-drain", "restart at once: proofs of builtin provers start again, those in containers continue")
  .option("--drain-within <seconds>", "how long the node may drain before the upgrade is abandoned", wholeSeconds, 3600)
  .option(
    "--healthy-within <seconds>",
    "how long the new version may take to start and reach a coordinator",
    wholeSeconds,
    120,
  )
  .option("--restart <command>", "restarts the agent, where systemd does not run it")
  .addHelpText(
    "after",
    examples(
      "elastic-agent upgrade --check",
      "elastic-agent upgrade",
      "elastic-agent upgrade --version 0.2.0 --no-drain",
      "elastic-agent upgrade --rollback",
    ),
  )
  .action((options: UpgradeOptions) =>
    follow((signal, onProgress) => upgrade(process.env, options, { ...INSTALLED, signal, onProgress })),
  );

function wholeSeconds(text: string): number {
  const seconds = Number(text);
  if (/^\d{1,6}$/.test(text) && seconds >= 1) return seconds;
  throw new InvalidArgumentError("It must be a whole number of seconds.");
}

program
  .command("verify-release <manifest>")
  .description("check that a release key signed a release.json, by the .sig next to it; exits 1 when none did")
  .option("--keys <file>", "public keys in PEM; those that this agent is configured with if left out")
  .addHelpText(
    "after",
    examples(
      "elastic-agent verify-release release.json",
      "elastic-agent verify-release release.json --keys release.key.pub",
    ),
  )
  .action((manifest: string, { keys }: { readonly keys?: string }) => {
    console.log(verifyRelease(manifest, keys ?? RELEASE_KEYS_FILE));
  });

runCommandLine(program).catch((error: unknown) => {
  console.error(`elastic-agent: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(error instanceof ConfigError ? USAGE_EXIT : 1);
});
