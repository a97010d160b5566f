/** The one place that knows the public JSON of quotas. */
import { z } from "zod";
import { QUOTA_WORDS, type QuotaName } from "../domain/quotas.ts";

export const quotaSchema = z
  .object({
    name: z.string().describe("Such as `services`."),
    scope: z.enum(["team", "user"]).describe("Whose it is: the team's, or the caller's own."),
    used: z.int(),
    max: z.int(),
  })
  .meta({ id: "Quota" });

export type QuotaRecord = z.output<typeof quotaSchema>;

export function quotaRecord(
  quota: QuotaName,
  { scope, used, max }: Pick<QuotaRecord, "scope" | "used" | "max">,
): QuotaRecord {
  return { name: QUOTA_WORDS[quota].what.replaceAll(" ", "_"), scope, used, max };
}
