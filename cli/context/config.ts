/** What the environment says, read once. */
import envPaths from "env-paths";
import type { EnginePlaces } from "../engine/find-engine.ts";

export interface Settings {
  /** Base address, from ELASTIC_URL. */
  readonly url: string | undefined;
  /** From ELASTIC_API_KEY; goes before the stored one. */
  readonly apiKey: string | undefined;
  /** Name or id of the active team, from ELASTIC_TEAM; goes before the stored one. */
  readonly team: string | undefined;
  /** Certificates of a private authority, from ELASTIC_CA_FILE; goes before the stored one. */
  readonly caFile: string | undefined;
  /** Where the container engine may listen. */
  readonly engine: EnginePlaces;
  /** Base images of builds, here and on the fleet, from ELASTIC_BUILD_IMAGE and ELASTIC_RUN_IMAGE. */
  readonly buildImage: string | undefined;
  readonly runImage: string | undefined;
  /** What shows pages, from BROWSER; the system's own where it is undefined. */
  readonly browser: string | undefined;
  /** Whether the system's own could show them, on Linux. */
  readonly hasDesktop: boolean;
  /** Where rustup puts cargo, from CARGO_HOME. */
  readonly cargoHome: string | undefined;
  /** The folder of the credentials file. */
  readonly configDir: string;
  readonly color: boolean;
  /** All of it, for programs that the command hands over to. */
  readonly environment: NodeJS.ProcessEnv;
  /** Not with NODE_TLS_REJECT_UNAUTHORIZED=0. */
  readonly checksCertificates: boolean;
}

/** `onTerminal` is of standard output: colours are for terminals alone. */
export function readSettings(env: NodeJS.ProcessEnv, onTerminal: boolean): Settings {
  return {
    url: text(env.ELASTIC_URL),
    apiKey: text(env.ELASTIC_API_KEY),
    team: text(env.ELASTIC_TEAM),
    caFile: text(env.ELASTIC_CA_FILE),
    engine: { dockerHost: text(env.DOCKER_HOST), runtimeDir: text(env.XDG_RUNTIME_DIR), homeDir: text(env.HOME) },
    buildImage: text(env.ELASTIC_BUILD_IMAGE),
    runImage: text(env.ELASTIC_RUN_IMAGE),
    browser: text(env.BROWSER),
    hasDesktop: (text(env.DISPLAY) ?? text(env.WAYLAND_DISPLAY)) !== undefined,
    cargoHome: text(env.CARGO_HOME) ?? (text(env.HOME) === undefined ? undefined : `${text(env.HOME)}/.cargo`),
    configDir: text(env.ELASTIC_CONFIG_DIR) ?? envPaths("elastic", { suffix: "" }).config,
    environment: env,
    color: onTerminal && text(env.NO_COLOR) === undefined && env.TERM !== "dumb",
    checksCertificates: env.NODE_TLS_REJECT_UNAUTHORIZED !== "0",
  };
}

/** An empty variable counts as one that is not set. */
function text(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === "" ? undefined : value.trim();
}
