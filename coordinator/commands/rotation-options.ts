/** Options that the commands which rotate keys and roots share. */
import { InvalidArgumentError, Option } from "commander";

const WAIT_SECONDS = 60;
const WAIT_SECONDS_MAX = 3600;

export function waitOption(): Option {
  return new Option("--wait <seconds>", "how long to wait for all coordinators to confirm the step")
    .argParser(readSeconds)
    .default(WAIT_SECONDS);
}

function readSeconds(text: string): number {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= WAIT_SECONDS_MAX) return seconds;
  throw new InvalidArgumentError(`It is a number of seconds, at most ${WAIT_SECONDS_MAX}.`);
}
