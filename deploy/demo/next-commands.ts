/** What a demo that is left running is, and what to type to use it. */
import { ffiLibrary } from "../local/agent.ts";
import { fileSettings } from "../local/coordinator.ts";
import { enginePlace } from "../local/engine.ts";
import { inRepository } from "../local/repository.ts";
import type { Places } from "./places.ts";
import { shellWord } from "./shell-word.ts";
import type { DemoState } from "./state-file.ts";
import { stopOptions } from "./stop-options.ts";

interface Sample {
  /** For one more task. */
  readonly input: object;
  /** Of a task that has ended. */
  readonly taskId: string;
  /** Of the user's team, which may be renamed. */
  readonly teamId: string;
  /** Whether the engine has what builds begin from. */
  readonly baseImages: boolean;
  /** Whether shells are offered. */
  readonly shells: boolean;
  /** Whether URLs of users may lead to this machine. */
  readonly localWebhooks: boolean;
  /** The line with which a machine joins; null where none may. */
  readonly joinLine: string | null;
  /** `host:port` where machines join; null where none may. */
  readonly enroll: string | null;
}

export function nextCommands(
  places: Places,
  state: DemoState,
  { input, taskId, teamId, baseImages, shells, localWebhooks, joinLine, enroll }: Sample,
): string {
  const { url, key, team, service_id: service, engine, registry, console_login_url: login } = state;
  const containers = engine === null ? "" : `\n  engine   unix://${engine}\n  registry ${registry}`;
  const webhooks = localWebhooks ? `\n  webhooks ${LOCAL_WEBHOOKS}` : "";
  const body = JSON.stringify({ input });
  const elastic = commandOf("cli");
  const lasting = places.lasting
    ? `\nIts state stays in ${places.folder} for the next start with the same --state.`
    : "";
  return `
The demo runs until Ctrl-C or \`npm run demo -- ${stopOptions(places)}\`. What it is, with the key: ${places.state}${lasting}

  console  ${login}
           logs your browser in, once, within ten minutes
  url      ${url}
  key      ${key}
  team     ${team}
  service  ${service}${containers}
  metrics  ${state.metrics.coordinator}
           ${state.metrics.agent}${webhooks}

Paste this first; what follows uses it:

  export URL=${url} KEY=${key} TEAM=${teamId} SERVICE=${service} TASK=${taskId}

The command elastic, from any folder:

  alias elastic=${shellWord(elastic)}
  ELASTIC_API_KEY=$KEY ${elastic} login --url $URL --team $TEAM

The command elastic-coordinator, for its operator, such as \`elastic-coordinator login-link --user demo\`:

  alias elastic-coordinator=${shellWord(coordinatorCommand(places, state, enroll))}
${engine === null ? "" : engineCommands(places, engine, baseImages)}${shells ? SHELL_COMMANDS : ""}${joinLine === null ? "" : joinCommands(joinLine)}
Three commands to try next:

  curl -s $URL/v1/services/$SERVICE -H "x-api-key: $KEY" -H 'content-type: application/json' -d '${body}'
  curl -s "$URL/v1/tasks/$TASK?wait=30" -H "x-api-key: $KEY"
  ELASTIC_CONFIG_DIR=${shellWord(places.login)} ${elastic} task info $TASK
`;
}

/** The command looks for an engine where engines usually listen; the demo's own listens elsewhere, and has no bridge. */
function engineCommands(places: Places, engine: string, baseImages: boolean): string {
  const isOwn = engine === enginePlace(places.engine, places.log("engine")).socket;
  const images = baseImages ? WITH_BASE_IMAGES : WITHOUT_BASE_IMAGES;
  return `
For elastic build, and for elastic deploy of an image of yours:

  export DOCKER_HOST=unix://${engine}${isOwn ? images : ""}
`;
}

function joinCommands(line: string): string {
  return `
One more agent, on a machine with this repository, within 24 hours; on this one with its own ELASTIC_STATE_DIR.
It runs builtin provers: the demo's registry listens on this machine alone.

  alias elastic-agent=${shellWord(`ELASTIC_FFI_LIBRARY=${ffiLibrary()} ${commandOf("agent")}`)}
  ${line}
  elastic-agent run
`;
}

/** On the demo's store and files, and with links that lead to the demo. */
function coordinatorCommand(places: Places, { etcd, url }: DemoState, enroll: string | null): string {
  const { blobs: blobsDir, secretsKeyFile } = places;
  const settings = Object.entries({
    ELASTIC_ETCD: etcd,
    ELASTIC_PUBLIC_URL: url,
    ...fileSettings({ blobsDir, secretsKeyFile }),
    ...(enroll === null ? {} : { ELASTIC_ENROLL_ADVERTISE: enroll }),
  });
  const words = settings.map(([name, value]) => `${name}=${shellWord(String(value))}`);
  return `${words.join(" ")} ${commandOf("coordinator")}`;
}

/** With complete paths: they work from any folder, and with the Node that runs this. The dashes keep --env-file from that. */
function commandOf(part: "cli" | "agent" | "coordinator"): string {
  return [process.execPath, "--", inRepository(part, "main.ts")].map(shellWord).join(" ");
}

const LOCAL_WEBHOOKS =
  "and other URLs of users may lead to 127.0.0.0/8, by http too, in addition to public https addresses";

const SHELL_COMMANDS = `
A shell, after the login above:

  elastic shell create lab --gpu none --memory 1 --home 1
  elastic shell info lab                           # its password
  elastic shell connect lab
`;

const WITH_BASE_IMAGES = `
  # It has no network, and the base images that builds begin from: elastic build --no-network, with crates from
  # cargo vendor (elastic build --help)`;

const WITHOUT_BASE_IMAGES = `
  # It has no network, so it builds from base images that are loaded into it. Either this demo is started again with
  # --base-images, which makes them of this machine's toolchain; or, where a machine with a network has them,
  #   docker save rust:1-slim-bookworm debian:bookworm-slim > base.tar
  # and here \`docker load < base.tar\`. Then elastic build --no-network, with crates from cargo vendor (--help)`;
