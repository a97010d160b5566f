/** The query of both endpoints of metrics. */
import { z } from "zod";
import { timeQuerySchema } from "../../public/timestamp.ts";
import { STEPS_SECONDS } from "./metrics-range.ts";

/** `before` says how long before `to` it begins if the request names no time. */
export function metricsQuerySchema(before: string) {
  return z.object({
    from: timeQuerySchema.optional().describe(`Rounded down to a whole step; ${before} before \`to\` if left out.`),
    to: timeQuerySchema.optional().describe("Rounded up to a whole step; now if left out."),
    step: z.coerce
      .number()
      .pipe(z.literal(STEPS_SECONDS))
      .optional()
      .describe("Seconds; at least 600 where `from` is more than 3 hours ago. The shortest that fits if left out."),
  });
}
