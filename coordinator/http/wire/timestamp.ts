/** Public timestamps: UTC, `YYYY-MM-DDTHH:MM:SS`, no offset. */
import type { Instant } from "@elastic/std/clock.ts";
import { z } from "zod";

export const timestampSchema = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/)
  .describe("UTC, without an offset.");

export function timestamp(instant: Instant): string {
  return new Date(instant).toISOString().slice(0, 19);
}

export function timestampOrNull(instant: Instant | null): string | null {
  return instant === null ? null : timestamp(instant);
}
