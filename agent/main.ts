#!/usr/bin/env node
/** The agent's program. */
import { runCommandLine, USAGE_EXIT } from "@elastic/std/command-line.ts";
import { Command, InvalidArgumentError } from "commander";
import { bench } from "./commands/bench.ts";
import { doctor } from "./commands/doctor.ts";
import { drain } from "./commands/drain.ts";
import { type EnrollOptions, enroll } from "./commands/enroll.ts";
import { run } from "./commands/run.ts";
import { status } from "./commands/status.ts";
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
  $ elastic-agent enroll --coordinator control.example:8444 --token ejt_… --ca-sha256 9f86…
  $ elastic-agent doctor
  $ elastic-agent bench
  $ elastic-agent status --json
  $ elastic-agent drain --wait
  $ elastic-agent resume
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

const program = new Command("elastic-agent")
  .description("Runs provers on this machine for the Elastic Proving Service")
  .version(AGENT_VERSION)
  .addHelpText("after", EXAMPLES);

program
  .command("enroll")
  .description("make this machine a node, with the line that `elastic-coordinator token create` printed")
  .requiredOption("--coordinator <host:port>", "where machines are enrolled")
  .requiredOption("--token <token>", "works once, for this machine")
  .requiredOption("--ca-sha256 <digest>", "of the coordinators' authority: who cannot show it is no coordinator")
  .option("--node <name>", "name of the node; this machine's host name if left out")
  .addHelpText(
    "after",
    examples("elastic-agent enroll --coordinator control.example:8444 --token ejt_… --ca-sha256 9f86…"),
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
  .addHelpText("after", examples("elastic-agent drain --wait", "elastic-agent drain --stop-shells --wait"))
  .action(({ wait = false, stopShells = false }: { readonly wait?: boolean; readonly stopShells?: boolean }) =>
    give({ kind: "drain", stopShells }, wait),
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

runCommandLine(program).catch((error: unknown) => {
  console.error(`elastic-agent: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(error instanceof ConfigError ? USAGE_EXIT : 1);
});
