import { basename, resolve } from "node:path";
import { Command } from "commander";
import { remoteBuild } from "../builds/remote-build.ts";
import type { Context } from "../context/context.ts";
import { findEngine } from "../engine/find-engine.ts";
import { usageError } from "../errors/cli-error.ts";
import { findLink, rememberBuild } from "../link/service-link.ts";
import { assertBuildable } from "../local-build/build-context.ts";
import { buildImage } from "../local-build/build-image.ts";
import { printableLine } from "../output/printable.ts";
import { openSession } from "../session/session.ts";
import { buildCancel } from "./build-cancel.ts";
import { buildList } from "./build-list.ts";
import { buildLogs } from "./build-logs.ts";
import { buildRetry } from "./build-retry.ts";
import { examples } from "./examples.ts";
import { type ImageOptions, imageArgs, withImages } from "./image-args.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";
import { refuseWords } from "./refuse-words.ts";
import { chosenServiceId, type ServiceOption, serviceFlag, withService } from "./service-option.ts";

interface Options extends ServiceOption, ImageOptions {
  readonly base_dir: string;
  readonly tag?: string;
  readonly network: boolean;
  readonly cache: boolean;
  readonly remote?: boolean;
  readonly idempotencyKey?: string;
  readonly verbose?: boolean;
}

/**
 * `elastic build`: builds the prover's image on the local engine, or with `--remote` on a machine of the fleet;
 * `elastic deploy` takes it from there.
 */
export function build(context: Context): Command {
  return (
    withImages(withOutput(withService(new Command("build"))))
      .description("build the prover's container image with the local engine, or on the fleet")
      // Its own options stand before the name of a sub-command, those of the sub-command after it.
      .enablePositionalOptions()
      .allowExcessArguments()
      .option("--remote", "send the folder and build it on a machine of the fleet")
      .option("--base_dir <path>", "sub-directory to build from", notEmpty("path"), ".")
      .option("--tag <tag>", "tag of the image (default: latest, or the remote build's own)", notEmpty("tag"))
      .option("--no-network", "build without network, from vendored crates")
      .option("--no-cache", "run every step, and take no earlier image (with --remote)")
      .option(
        "--idempotency-key <key>",
        "the same key makes one build, however often this is run (with --remote)",
        notEmpty("key"),
      )
      .option("--verbose", "print every line of the build")
      .addHelpText(
        "after",
        examples(
          "elastic build",
          "elastic build --base_dir=provers/sudoku --tag v2",
          "elastic build --remote",
          "elastic build --remote --no-cache --service poseidon",
          "mkdir -p .cargo && cargo vendor > .cargo/config.toml && elastic build --no-network",
        ),
      )
      .action(async (options: Options, command: Command) => {
        refuseWords(command, "Add --help to see its commands and options; a sub-directory is named by --base_dir.");
        const { directory, printer, settings, signal } = context;
        const folder = resolve(directory, options.base_dir);
        assertBuildable(folder, options.remote ? "on the fleet" : "here");
        const buildArgs = imageArgs(options, settings);
        if (options.remote) return await buildRemotely(context, { ...options, folder, buildArgs });
        if (options.service !== undefined || !options.cache || options.idempotencyKey !== undefined) {
          throw usageError(
            "--service, --no-cache and --idempotency-key are for builds on the fleet.",
            "Add --remote, or leave them out.",
          );
        }
        const found = await findLink(directory);
        const image = `elastic/${imageName(found?.link.serviceName ?? basename(folder))}:${options.tag ?? "latest"}`;
        const engine = await findEngine(settings.engine);
        const beganMs = Date.now();
        const seconds = () => Math.round((Date.now() - beganMs) / 1000);
        const onLine = (line: string) => (options.verbose ? printer.note(line) : printer.progress(line, seconds()));
        const id = await buildImage(engine, {
          folder,
          image,
          buildArgs,
          network: options.network,
          signal,
          onLine,
          onFailure: (tail) => {
            // Where lines overwrite one another, none is left to read.
            if (options.verbose || !printer.redraws) return;
            for (const line of tail) printer.note(`| ${line}`);
          },
        }).finally(() => engine.close());
        if (found !== null) await rememberBuild(found, { image, builtAt: new Date().toISOString() });
        printer.result({
          json: { image, image_id: id, seconds: seconds() },
          text: `Built ${printableLine(image)} in ${seconds()} s.`,
        });
        printer.note(
          found === null
            ? `Next: \`elastic service create <name>\`, then \`elastic deploy --image ${image}\`.`
            : "Next: `elastic deploy --tag <tag>`.",
        );
      })
      .addCommand(buildList(context))
      .addCommand(buildLogs(context))
      .addCommand(buildCancel(context))
      .addCommand(buildRetry(context))
  );
}

interface RemoteBuild extends ServiceOption {
  readonly folder: string;
  readonly buildArgs: Readonly<Record<string, string>>;
  readonly tag?: string;
  readonly cache: boolean;
  readonly idempotencyKey?: string;
}

async function buildRemotely(context: Context, wanted: RemoteBuild): Promise<void> {
  const { directory, printer } = context;
  const caller = await openSession(context);
  const serviceId = await chosenServiceId(context, caller, wanted);
  const build = await remoteBuild(context, caller, { ...wanted, serviceId });
  const found = await findLink(directory);
  if (found?.link.serviceId === serviceId && build.image !== null) {
    await rememberBuild(found, { image: build.image, builtAt: new Date().toISOString() });
  }
  printer.result({ json: build, text: `Built ${printableLine(build.image ?? "")}.` });
  // Only the linked service's build is remembered.
  const named = wanted.service === undefined ? "" : ` --image ${build.image}${serviceFlag(wanted)}`;
  printer.note(`Next: \`elastic deploy${named}\`.`);
}

/** What engines allow in a name. */
function imageName(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return plain === "" ? "prover" : plain;
}
