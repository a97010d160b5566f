/** Why a program ended, from the lines that it printed last. */
import { parseJsonLine } from "./json-line.ts";

/** pino's number of the level `error`; `fatal` is above. */
const ERROR_LEVEL = 50;
/** As zap, with which etcd logs, names them. */
const ERROR_NAMES: readonly unknown[] = ["error", "dpanic", "panic", "fatal"];

/** The last record of level error or fatal, else the last line where that is no record; null where neither is there. */
export function failureReason(lines: readonly string[]): string | null {
  const record = lines.map(parseJsonLine).findLast((one) => one !== undefined && isError(one.level));
  if (record !== undefined) return reasonOf(record);
  const last = lines.findLast((line) => line.trim() !== "");
  return last === undefined || parseJsonLine(last) !== undefined ? null : last.trim();
}

function isError(level: unknown): boolean {
  return typeof level === "number" ? level >= ERROR_LEVEL : ERROR_NAMES.includes(level);
}

/** The message, and the cause that the record gives with it. */
function reasonOf({ msg, why, err, error }: Readonly<Record<string, unknown>>): string | null {
  const cause = [why, messageOf(err), messageOf(error)].find((one) => typeof one === "string");
  const parts = [msg, cause].filter((part) => typeof part === "string" && part !== "");
  return parts.length === 0 ? null : parts.join(": ");
}

function messageOf(error: unknown): unknown {
  return typeof error === "object" && error !== null ? (error as { readonly message?: unknown }).message : error;
}
