import { Command, InvalidArgumentError, Option } from "commander";
import type { NewShell } from "../api/records.ts";
import { createShell } from "../api/shells.ts";
import type { Context } from "../context/context.ts";
import { parseTimeSpan } from "../input/time-span.ts";
import { shellText } from "../output/shell-text.ts";
import { chooseGpu } from "../prompts/choose-gpu.ts";
import { openSession } from "../session/session.ts";
import { awaitShell } from "../shell/await-shell.ts";
import { parseCount } from "./counts.ts";
import { examples } from "./examples.ts";
import { type GpuOptions, gpuMembers, gpuTypeOf, saysGpu, withGpus } from "./gpu-options.ts";
import { GIB, type MachineOptions, machineMembers, withMachine } from "./machine-options.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";

interface Options extends GpuOptions, MachineOptions {
  readonly image?: string;
  readonly home?: number;
  readonly life?: number;
  readonly idleStop?: number | "never";
  readonly egress: readonly string[];
  readonly keysOnly?: boolean;
  readonly idempotencyKey?: string;
  readonly wait: boolean;
}

/** `elastic shell create`: prompts for a GPU type, then waits until the shell can be logged into. */
export function shellCreate(context: Context): Command {
  return withMachine(withGpus(withOutput(new Command("create")), "a prompt"))
    .description("create a shell: a container with a GPU, to log into")
    .argument("[shell_name]", "name of the shell (default: made of its id)")
    .option("--image <name>", "one of the installation's images (default: its first)", notEmpty("image"))
    .option("--home <GiB>", "size of the home, which outlives stops (default: 10)", parseCount)
    .option("--life <span>", "how long a run lasts at most, as in 12h (default: 1d)", parseTimeSpan)
    .option(
      "--idle-stop <span>",
      "stop when nothing was typed or shown for so long, or never (default: 1h)",
      parseIdleStop,
    )
    .addOption(
      new Option("--egress <host[:port]>", "where it may connect, as crates.io or *.crates.io (repeatable)")
        .argParser(addHost)
        .default([], "nowhere"),
    )
    .option("--keys-only", "no password: see elastic shell key add (default: both open it)")
    .option("--idempotency-key <key>", "the same key makes one shell, however often this is run", notEmpty("key"))
    .option("--no-wait", "do not wait until it is ready")
    .addHelpText(
      "after",
      examples(
        "elastic shell create",
        "elastic shell create lab --gpu H100",
        "elastic shell create --gpu none --no-wait",
        "elastic shell create lab --gpu none --idempotency-key nightly-lab",
        "elastic shell create --egress crates.io --egress '*.crates.io'",
      ),
    )
    .action(async (name: string | undefined, options: Options) => {
      const caller = await openSession(context);
      const prompts = options.gpu === undefined && !saysGpu(options);
      const gpuType = prompts ? await chooseGpu(context, caller) : gpuTypeOf(options.gpu);
      const created = await createShell(caller, newShell(name, gpuType, options), options.idempotencyKey);
      const text = `Created the shell ${created.shell_name} (${created.shell_id}).`;
      if (options.wait) context.printer.begun({ json: { shell_id: created.shell_id }, text });
      else context.printer.note(text);
      const shell = options.wait ? await awaitShell(context, caller, created.shell_id) : created;
      context.printer.result({ json: shell, text: shellText(shell) });
      if (shell.password_login) context.printer.note(`Its password: elastic shell info ${shell.shell_id}`);
      context.printer.note(`Log in: elastic shell connect ${shell.shell_id}`);
    });
}

function newShell(name: string | undefined, gpuType: string | null, options: Options): NewShell {
  const { image, home, life, idleStop, egress } = options;
  return {
    gpu_type: gpuType,
    ...(name === undefined ? {} : { shell_name: name }),
    ...gpuMembers(options),
    ...(image === undefined ? {} : { image }),
    ...machineMembers(options),
    ...(home === undefined ? {} : { home_bytes: GIB * home }),
    ...(options.keysOnly ? { password_login: false } : {}),
    ...(egress.length === 0 ? {} : { egress }),
    ...(life === undefined ? {} : { longest_life_seconds: life }),
    ...(idleStop === undefined ? {} : { idle_stop_seconds: idleStop === "never" ? null : idleStop }),
  };
}

function parseIdleStop(text: string): number | "never" {
  if (text === "never") return text;
  try {
    return parseTimeSpan(text);
  } catch {
    throw new InvalidArgumentError("Give it as in 12h, 30m or 45s, or never.");
  }
}

function addHost(text: string, hosts: readonly string[]): readonly string[] {
  return [...hosts, text];
}
