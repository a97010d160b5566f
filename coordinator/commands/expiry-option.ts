/** `--expires` of an operator's command: as `elastic key create` takes it, or in seconds. */
import { InvalidArgumentError } from "commander";

const SECONDS: Readonly<Record<string, number>> = { "": 1, s: 1, m: 60, h: 3_600, d: 86_400 };

/** In seconds; `never` where it does not expire. */
export function readExpiry(text: string): number | "never" {
  if (text === "never") return text;
  const match = /^([1-9]\d{0,9})([smhd]?)$/.exec(text);
  const unit = SECONDS[match?.[2] ?? "-"];
  if (match === null || unit === undefined) {
    throw new InvalidArgumentError("Give it as in 90d, 12h, 30m or 45s, in seconds, or as never.");
  }
  return Number(match[1]) * unit;
}
