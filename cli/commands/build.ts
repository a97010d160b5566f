import { basename, resolve } from "node:path";
import { Command } from "commander";
import { assertBuildable } from "../build/build-context.ts";
import { buildImage } from "../build/build-image.ts";
import type { Context } from "../context.ts";
import { findEngine } from "../engine/find-engine.ts";
import { findLink, rememberBuild } from "../link/service-link.ts";
import { printableLine } from "../output/printable.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";

interface Options {
  readonly base_dir: string;
  readonly tag: string;
  readonly buildImage?: string;
  readonly runImage?: string;
  readonly network: boolean;
  readonly verbose?: boolean;
}

/** `elastic build`: builds the prover's image on the local engine; `elastic deploy` takes it from there. */
export function build(context: Context): Command {
  return withOutput(new Command("build"))
    .description("build the prover's container image with the local engine")
    .option("--base_dir <path>", "sub-directory to build from", notEmpty("path"), ".")
    .option("--tag <tag>", "tag of the image", notEmpty("tag"), "latest")
    .option(
      "--build-image <image>",
      "image with the Rust toolchain (default: $ELASTIC_BUILD_IMAGE, else the build file's)",
    )
    .option("--run-image <image>", "image that the prover runs in (default: $ELASTIC_RUN_IMAGE, else the build file's)")
    .option("--no-network", "build without network, from vendored crates")
    .option("--verbose", "print every line of the build")
    .addHelpText(
      "after",
      examples(
        "elastic build",
        "elastic build --base_dir=provers/sudoku --tag v2",
        "mkdir -p .cargo && cargo vendor > .cargo/config.toml && elastic build --no-network",
      ),
    )
    .action(async (options: Options) => {
      const { directory, printer, settings, signal } = context;
      const folder = resolve(directory, options.base_dir);
      assertBuildable(folder);
      const found = await findLink(directory);
      const image = `elastic/${imageName(found?.link.serviceName ?? basename(folder))}:${options.tag}`;
      const engine = await findEngine(settings.engine);
      const beganMs = Date.now();
      const seconds = () => Math.round((Date.now() - beganMs) / 1000);
      const tell = (line: string) => (options.verbose ? printer.note(line) : printer.progress(line, seconds()));
      const id = await buildImage(engine, {
        folder,
        image,
        buildArgs: {
          ...given("RUST_IMAGE", options.buildImage ?? settings.buildImage),
          ...given("RUN_IMAGE", options.runImage ?? settings.runImage),
        },
        network: options.network,
        signal,
        tell,
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
    });
}

function given(name: string, value: string | undefined): Readonly<Record<string, string>> {
  return value === undefined ? {} : { [name]: value };
}

/** What engines allow in a name. */
function imageName(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return plain === "" ? "prover" : plain;
}
