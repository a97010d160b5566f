/** The options of `npm run demo -- …`. */
import { isIPv4 } from "node:net";
import { parseArgs } from "node:util";

export interface DemoOptions {
  /** Print one last line of JSON. */
  readonly json: boolean;
  /** Run the prover in a container, and start an engine for it where none responds. */
  readonly container: boolean;
  /** Make the base images that builds begin from, in the engine that the demo starts. */
  readonly baseImages: boolean;
  /** Offer shells. */
  readonly shells: boolean;
  /** The address of this machine at which machines may join; null where they may not, or as in an earlier start. */
  readonly enroll: string | null;
  /** Leave everything running until Ctrl-C or --stop. */
  readonly keep: boolean;
  /** Let webhooks and other URLs of users lead to this machine too, by http. */
  readonly localWebhooks: boolean;
  /** End a demo that was left running. */
  readonly stop: boolean;
  readonly help: boolean;
  /** Where its files are; null for `.demo`. */
  readonly folder: string | null;
  /** Whether the next start with this folder finds what this one had. */
  readonly lasting: boolean;
  /** How long set-up took before this program was started. */
  readonly setupMs: number;
}

/** ELASTIC_EGRESS_ALLOW of the coordinator: what the environment says, and this machine where webhooks may come here. */
export function egressAllow(said: string, localWebhooks: boolean): string {
  return [said, ...(localWebhooks ? ["127.0.0.0/8"] : [])].filter((part) => part !== "").join(",");
}

/** What is wrong with the options, for the user. */
class OptionsError extends Error {
  override readonly name = "OptionsError";
}

/** What is said of an option without its value. */
const NEEDS: Readonly<Record<string, string>> = {
  folder: "--folder needs the name of a folder",
  state: "--state needs the name of a folder",
  enroll: "--enroll needs an IPv4 address of this machine, such as 192.168.1.5 or 127.0.0.1",
};

/** What a demo that is being ended has no use for. */
const STARTING = ["keep", "container", "json", "local-webhooks", "base-images", "shells", "enroll"] as const;

/** Throws an OptionsError. */
export function parseOptions(args: readonly string[]): DemoOptions {
  const parsed = parse(args);
  const {
    "setup-ms": setupMs,
    "local-webhooks": localWebhooks,
    "base-images": baseImages,
    folder = null,
    state = null,
    enroll = null,
    ...options
  } = parsed;
  const given: Readonly<Record<string, unknown>> = parsed;
  const running = STARTING.find((name) => given[name] !== undefined && given[name] !== false);
  if (options.stop && running !== undefined) {
    throw new OptionsError(`--stop ends a demo and --${running} is for starting one: give one of the two`);
  }
  if (folder !== null && state !== null) {
    throw new OptionsError("--state is the folder of a demo as --folder is: give one of the two");
  }
  if (folder === "") throw new OptionsError(NEEDS.folder);
  if (state === "") throw new OptionsError(NEEDS.state);
  if (enroll !== null && !isIPv4(enroll)) throw new OptionsError(NEEDS.enroll);
  const container = options.container || baseImages || options.shells;
  return {
    ...options,
    container,
    baseImages,
    localWebhooks,
    enroll,
    folder: state ?? folder,
    lasting: state !== null,
    setupMs: Number(setupMs),
  };
}

/** Prints it in one line, with where to look. Returns whether anything is wrong. */
export function sayWhatIsWrong(args: readonly string[]): boolean {
  try {
    parseOptions(args);
    return false;
  } catch (error) {
    if (!(error instanceof OptionsError)) throw error;
    console.error(`${error.message}\nThe options are listed by: npm run demo -- --help`);
    return true;
  }
}

function parse(args: readonly string[]) {
  const flag = { type: "boolean", default: false } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        json: flag,
        container: flag,
        keep: flag,
        "local-webhooks": flag,
        "base-images": flag,
        shells: flag,
        enroll: { type: "string" },
        stop: flag,
        help: { ...flag, short: "h" },
        folder: { type: "string" },
        state: { type: "string" },
        "setup-ms": { type: "string", default: "0" },
      },
    }).values;
  } catch (error) {
    if (!isOfParseArgs(error)) throw error;
    // No value, or another option in its place.
    const [, valueless = ""] = /^Option '--([a-z-]+).* argument (?:missing|is ambiguous)/.exec(error.message) ?? [];
    // Its first sentence says what is wrong; what may follow is for the authors of commands.
    throw new OptionsError(NEEDS[valueless] ?? error.message.split(/\. |\n/)[0]);
  }
}

function isOfParseArgs(error: unknown): error is Error {
  return error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith("ERR_PARSE_ARGS_");
}
