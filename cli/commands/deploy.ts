import { resolve } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import type { Caller } from "../api/caller.ts";
import type { NewDeployment } from "../api/records.ts";
import { remoteBuild } from "../builds/remote-build.ts";
import type { Context } from "../context/context.ts";
import { findVolumeId } from "../data/find-volume.ts";
import { awaitReady } from "../deploy/await-ready.ts";
import { deployImage } from "../deploy/deploy-image.ts";
import { deploymentEnv } from "../deploy/deployment-env.ts";
import { checkImageName } from "../deploy/image-name.ts";
import { usageError } from "../errors/cli-error.ts";
import { parseTimeSpan } from "../input/time-span.ts";
import { isVariableName, VARIABLE_RULE } from "../input/variable-name.ts";
import { findLink } from "../link/service-link.ts";
import { assertBuildable } from "../local-build/build-context.ts";
import { gpuWishText } from "../output/gpu-text.ts";
import { printableLine } from "../output/printable.ts";
import { openSession } from "../session/session.ts";
import { parseCount } from "./counts.ts";
import { examples } from "./examples.ts";
import { type GpuOptions, gpuMembers, gpuTypeOf, withGpus } from "./gpu-options.ts";
import { type ImageOptions, imageArgs, withImages } from "./image-args.ts";
import { type MachineOptions, machineMembers, withMachine } from "./machine-options.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";
import { chosenServiceId, type ServiceOption, serviceFlag, withService } from "./service-option.ts";

/** How long it waits where nothing else is said. */
const WAIT_S = 900;

type Env = Readonly<Record<string, string>>;

interface Options extends ServiceOption, GpuOptions, ImageOptions, MachineOptions {
  readonly image?: string;
  readonly remoteBuild?: boolean;
  readonly base_dir?: string;
  readonly cache: boolean;
  readonly tag?: string;
  readonly env: Env;
  readonly envFile: readonly string[];
  readonly data?: string;
  readonly verifierImage?: string;
  readonly min?: number;
  readonly max?: number;
  readonly runTimeout?: number;
  readonly wait: boolean;
  readonly timeout?: number;
}

/**
 * `elastic deploy`: puts an image into service. One that only this machine's engine has, also the verifier's, is pushed
 * to the service's registry first; any other is named to the server as it is given here.
 */
export function deploy(context: Context): Command {
  return withImages(withMachine(withGpus(withOutput(withService(new Command("deploy"))), "none")))
    .description("deploy an image to the service")
    .option(
      "--image <image_name>",
      "image of the local engine, of a registry, or builtin:poseidon (default: what `elastic build` made here)",
      (text) => checkImageName(notEmpty("image name")(text)),
    )
    .option("--remote-build", "send this folder, build it on a machine of the fleet and deploy the image")
    .option("--base_dir <path>", "sub-directory to build from, with --remote-build", notEmpty("path"))
    .option("--no-cache", "run every step, and take no earlier image (with --remote-build)")
    .option("--tag <tag>", "your label for the deployment (default: the image's tag)", parseTag)
    .addOption(
      new Option("--env <key=value>", "environment variable of the prover (repeatable)")
        .argParser(addVariable)
        .default({}, "none"),
    )
    .addOption(
      new Option("--env-file <path>", "file of lines NAME=value (repeatable); --env goes before it")
        .argParser((text, paths: readonly string[]) => [...paths, notEmpty("path")(text)])
        .default([], "none"),
    )
    .option("--data <volume>", "data volume that the prover sees at /data, by name or id", notEmpty("data volume"))
    .option(
      "--verifier-image <image_name>",
      "image, named as for --image, that must accept each proof, or builtin:poseidon-verify",
      (text) => checkImageName(notEmpty("image name")(text)),
    )
    .option("--min <count>", "fewest copies that run", parseCount)
    .option("--max <count>", "most copies that run", parseCount)
    .option("--run-timeout <time>", "how long a task may run, as in 12h or 30m (default: 1h)", parseTimeSpan)
    .addOption(new Option("--wait", "the default").default(true).hideHelp())
    .option("--no-wait", "do not wait until the deployment serves")
    .option("--timeout <seconds>", `how long to wait (default: ${WAIT_S})`, parseCount)
    .addHelpText(
      "after",
      examples(
        "elastic deploy --tag v1",
        "elastic deploy --remote-build",
        "elastic deploy --remote-build --build-image rust:1-slim-bookworm --no-cache",
        "elastic deploy --image my-prover:1 --env RUST_LOG=info --env THREADS=8",
        "elastic deploy --tag v2 --env-file prover.env",
        "elastic deploy --tag v2 --cpus 4 --memory 16",
        "elastic deploy --tag v2 --data keys",
        "elastic deploy --image registry.example.com/prover:1 --no-wait",
        "elastic deploy --image builtin:poseidon --min 1 --max 4",
        "elastic deploy --tag v3 --run-timeout 12h",
        "elastic deploy --tag v3 --gpu H100 --label zone=a",
        "elastic deploy --tag v3 --gpu-memory 40",
      ),
    )
    .action(async (options: Options) => {
      const { printer } = context;
      if (options.timeout !== undefined && !options.wait) {
        throw usageError("--timeout has no effect with --no-wait.", "Leave out one of the two.");
      }
      if (options.min !== undefined && options.max !== undefined && options.min > options.max) {
        throw usageError("--min is larger than --max.", "Leave out --max, or make it as large.");
      }
      refuseOddBuild(options);
      const named = options.remoteBuild ? null : (options.image ?? (await builtHere(context)));
      const env = await deploymentEnv(context.directory, options);
      const caller = await openSession(context);
      const serviceId = await chosenServiceId(context, caller, options);
      const volume = options.data === undefined ? {} : { volume_id: await findVolumeId(caller, options.data) };
      const image = named ?? (await builtOnFleet(context, caller, serviceId, options));
      const wanted = { ...newDeployment(image, { ...options, env }), ...volume };
      const deployment = await deployImage(context, caller, serviceId, wanted);
      const names = Object.keys(env);
      if (names.length > 0) printer.note(`Environment: ${names.join(", ")}.`);
      const gpus = gpuWishText(wanted.resources);
      if (gpus !== null) printer.note(`GPUs: ${gpus}.`);
      if (!options.wait) {
        printer.result({
          json: deployment,
          text: `Deploying ${printableLine(deployment.image)} as ${printableLine(deployment.deployment_id)}.`,
        });
        printer.note(`See \`elastic service info${serviceFlag(options)}\` for its state.`);
        return;
      }
      const ready = await awaitReady(context, caller, deployment, (options.timeout ?? WAIT_S) * 1000);
      printer.result({
        json: { ...ready.deployment, service: ready.service },
        text: `Ready. Endpoint: ${printableLine(ready.service.service_url)}`,
      });
    });
}

function refuseOddBuild(options: Options): void {
  const { remoteBuild: isRemote, image, base_dir: baseDir } = options;
  if (isRemote && image !== undefined) {
    throw usageError("--remote-build builds the image, and --image names another.", "Leave out one of the two.");
  }
  if (!isRemote && baseDir !== undefined) {
    throw usageError("--base_dir has no effect without --remote-build.", "Add it, or run `elastic build --base_dir`.");
  }
  const isOfBuild = options.buildImage !== undefined || options.runImage !== undefined || !options.cache;
  if (!isRemote && isOfBuild) {
    throw usageError(
      "--build-image, --run-image and --no-cache have no effect without --remote-build.",
      "Add it, or leave them out.",
    );
  }
}

async function builtOnFleet(context: Context, caller: Caller, serviceId: string, options: Options): Promise<string> {
  const folder = resolve(context.directory, options.base_dir ?? ".");
  assertBuildable(folder, "on the fleet");
  const { tag, cache } = options;
  const buildArgs = imageArgs(options, context.settings);
  const wish = { serviceId, folder, buildArgs, cache, ...(tag === undefined ? {} : { tag }) };
  const { image } = await remoteBuild(context, caller, wish);
  if (image === null) throw new Error("a build that succeeded has an image");
  return image;
}

async function builtHere({ directory }: Context): Promise<string> {
  const image = (await findLink(directory))?.link.lastBuild?.image;
  if (image !== undefined) return image;
  throw usageError(
    "There is nothing to deploy: nothing was built here.",
    "Run `elastic build`, or name one with --image.",
  );
}

function newDeployment(image: string, options: Options): NewDeployment {
  const { tag, env, verifierImage, min, max, runTimeout } = options;
  const gpuModel = gpuTypeOf(options.gpu);
  const resources = {
    ...(gpuModel === null ? {} : { gpu_model: gpuModel }),
    ...gpuMembers(options),
    ...machineMembers(options),
  };
  const scaling = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
  return {
    image,
    ...(tag === undefined ? {} : { tag }),
    ...(verifierImage === undefined ? {} : { verifier_image: verifierImage }),
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(Object.keys(resources).length === 0 ? {} : { resources }),
    ...(Object.keys(scaling).length === 0 ? {} : { scaling }),
    ...(runTimeout === undefined ? {} : { limits: { run_timeout_seconds: runTimeout } }),
  };
}

/** As the service and registries take them. */
const TAG = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;

function parseTag(text: string): string {
  if (TAG.test(notEmpty("tag")(text))) return text;
  throw new InvalidArgumentError("Give up to 128 letters, digits, dots, dashes and underscores.");
}

function addVariable(text: string, variables: Env): Env {
  const at = text.indexOf("=");
  if (at <= 0) throw new InvalidArgumentError("Give it as key=value.");
  if (!isVariableName(text.slice(0, at))) throw new InvalidArgumentError(VARIABLE_RULE);
  return { ...variables, [text.slice(0, at)]: text.slice(at + 1) };
}
