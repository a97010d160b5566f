/** Public timestamps: UTC, `YYYY-MM-DDTHH:MM:SS`, no offset. */
import type { Instant } from "@elastic/std/clock.ts";
import { z } from "zod";

export const timestampSchema = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/)
  .describe("UTC, without an offset.");

/** The last one written: the times of a record, and of records written together, are mostly of one second. */
let latest = { second: Number.NaN, text: "" };

export function timestamp(instant: Instant): string {
  const second = Math.floor(instant / 1000);
  if (second !== latest.second) latest = { second, text: new Date(instant).toISOString().slice(0, 19) };
  return latest.text;
}

export function timestampOrNull(instant: Instant | null): string | null {
  return instant === null ? null : timestamp(instant);
}

/** A time that a client names: a timestamp as in the records, or the same with a `Z`. */
export const timeQuerySchema = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z?$/, "YYYY-MM-DDTHH:MM:SS, in UTC")
  .refine((text) => isTime(text), "there is no such time");

export function instantOf(text: string): Instant {
  return Date.parse(`${text.slice(0, 19)}Z`);
}

/** The 30th of February is read as a day in March. */
function isTime(text: string): boolean {
  const instant = instantOf(text);
  return !Number.isNaN(instant) && timestamp(instant) === text.slice(0, 19);
}
