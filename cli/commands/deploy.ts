import { Command, InvalidArgumentError } from "commander";
import type { NewDeployment } from "../api/records.ts";
import { deploy as postDeployment } from "../api/services.ts";
import type { Context } from "../context.ts";
import { awaitReady } from "../deploy/await-ready.ts";
import { usageError } from "../errors/cli-error.ts";
import { printableLine } from "../output/printable.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";
import { chosenServiceId, type ServiceOption, withService } from "./service-option.ts";

/** How long `--wait` waits where nothing else is said. */
const WAIT_S = 900;

type Env = Readonly<Record<string, string>>;

interface Options extends ServiceOption {
  readonly image: string;
  readonly tag?: string;
  readonly env: Env;
  readonly min?: number;
  readonly max?: number;
  readonly wait?: boolean;
  readonly timeout?: number;
}

/** `elastic deploy`: puts an image into service. The image is named to the server as it is given here. */
export function deploy(context: Context): Command {
  return withOutput(withService(new Command("deploy")))
    .description("deploy an image to the service")
    .requiredOption(
      "--image <image_name>",
      "image, such as registry.example.com/prover:1 or builtin:poseidon",
      notEmpty("image name"),
    )
    .option("--tag <tag>", "your label for the deployment", notEmpty("tag"))
    .option("--env <key=value>", "environment variable of the prover (repeatable)", addVariable, {})
    .option("--min <count>", "fewest copies that are kept running", parseCount)
    .option("--max <count>", "most copies that are run", parseCount)
    .option("--wait", "wait until the deployment serves, or say why it does not")
    .option("--timeout <seconds>", `how long --wait waits (default: ${WAIT_S})`, parseCount)
    .addHelpText(
      "after",
      examples(
        "elastic deploy --image registry.example.com/prover:1 --tag v1 --wait",
        "elastic deploy --image builtin:poseidon --min 1 --max 4",
        "elastic deploy --image registry.example.com/prover:2 --env RUST_LOG=info --env THREADS=8",
      ),
    )
    .action(async (options: Options) => {
      const { printer } = context;
      if (options.timeout !== undefined && !options.wait) {
        throw usageError("--timeout has no effect without --wait.", "Add --wait, or leave out --timeout.");
      }
      const caller = await openSession(context);
      const serviceId = await chosenServiceId(context, caller, options);
      const deployment = await postDeployment(caller, serviceId, newDeployment(options));
      if (!options.wait) {
        printer.result({
          json: deployment,
          text: `Deploying ${printableLine(deployment.image)} as ${printableLine(deployment.deployment_id)}.`,
        });
        printer.note("See `elastic service info` for its state.");
        return;
      }
      const ready = await awaitReady(context, caller, deployment, (options.timeout ?? WAIT_S) * 1000);
      printer.result({
        json: { ...ready.deployment, service: ready.service },
        text: `Ready. Endpoint: ${printableLine(ready.service.service_url)}`,
      });
    });
}

function newDeployment({ image, tag, env, min, max }: Options): NewDeployment {
  const scaling = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
  return {
    image,
    ...(tag === undefined ? {} : { tag }),
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(Object.keys(scaling).length === 0 ? {} : { scaling }),
  };
}

function addVariable(text: string, variables: Env): Env {
  const at = text.indexOf("=");
  if (at <= 0) throw new InvalidArgumentError("Give it as key=value.");
  return { ...variables, [text.slice(0, at)]: text.slice(at + 1) };
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(count)) throw new InvalidArgumentError("Give a whole number.");
  return count;
}
