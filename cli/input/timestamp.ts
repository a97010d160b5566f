/** A time as the records have it: UTC, without an offset. */
import { InvalidArgumentError } from "commander";

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z?$/;

/** Returns the text as it is. Throws an InvalidArgumentError for what is no such time. */
export function parseTimestamp(text: string): string {
  if (!TIME.test(text) || Number.isNaN(Date.parse(text))) {
    throw new InvalidArgumentError("Give it as in 2026-11-20T00:00:00, in UTC.");
  }
  return text;
}
