/** What the server finds wrong in a request, in the words of the command that sent it: its options, and their units. */
import { timeSpanText } from "../input/time-span.ts";

interface Option {
  readonly name: string;
  /** What a bound of the request's number is for the option; `round` gives the integer within it. */
  readonly bound?: (value: number, round: (value: number) => number) => string;
}

type Bound = NonNullable<Option["bound"]>;

const GIB = 1024 ** 3;
const GB = 1e9;

function inUnit(size: number, unit: string): Bound {
  return (value, round) => `${round(value / size)}${unit}`;
}

/** Of an option that takes parts of its unit, to the thousandth. */
function inParts(size: number, unit: string): Bound {
  return (value, round) => `${round((value / size) * 1000) / 1000}${unit}`;
}

const OPTION_OF: Readonly<Record<string, Option>> = {
  created_after: { name: "--after" },
  created_before: { name: "--before" },
  expires_in_seconds: { name: "--expires", bound: timeSpanText },
  input_url: { name: "--input-url" },
  volume_id: { name: "--data" },
  image: { name: "--image" },
  verifier_image: { name: "--verifier-image" },
  tag: { name: "--tag" },
  env: { name: "--env" },
  min: { name: "--min" },
  max: { name: "--max" },
  gpu_type: { name: "--gpu" },
  gpu_model: { name: "--gpu" },
  gpu_count: { name: "--gpu-count" },
  gpu_memory_bytes: { name: "--gpu-memory", bound: inUnit(GB, " GB") },
  gpu_mig_profile: { name: "--mig" },
  node_labels: { name: "--label" },
  cpu_millis: { name: "--cpus", bound: inParts(1000, "") },
  memory_bytes: { name: "--memory", bound: inParts(GIB, " GiB") },
  home_bytes: { name: "--home", bound: inUnit(GIB, " GiB") },
  longest_life_seconds: { name: "--life", bound: timeSpanText },
  run_timeout_seconds: { name: "--run-timeout", bound: timeSpanText },
  idle_stop_seconds: { name: "--idle-stop", bound: timeSpanText },
  egress: { name: "--egress" },
};

/** The server's sentence about one place of the request. */
export function inWordsOfCommand(pointer: string, sentence: string): string {
  // Services of the version before name a parameter as querystring/size.
  const path = pointer.replace(/^(querystring|header|#)?\/?/, "");
  const [member = "", ...within] = path.replace(/^(resources|scaling|limits)\//, "").split("/");
  const option = OPTION_OF[member];
  if (option === undefined) return path === "" || sentence.startsWith(path) ? sentence : `${path}: ${sentence}`;
  const keys = within.filter((step) => !/^\d+$/.test(step));
  return `${[option.name, ...keys].join(" ")}: ${boundOf(sentence, option) ?? sentence}`;
}

/** Null for a sentence about anything else. */
function boundOf(sentence: string, { bound = inUnit(1, "") }: Option): string | null {
  const [, which, value] = /^Too (big|small): expected number to be [<>]=(-?\d+)$/.exec(sentence) ?? [];
  if (value === undefined) return null;
  return which === "big"
    ? `at most ${bound(Number(value), Math.floor)}`
    : `at least ${bound(Number(value), Math.ceil)}`;
}
