/** The one place that knows the public JSON of what a search finds. */
import { z } from "zod";
import { timestampSchema } from "./timestamp.ts";

const SEARCHED_KINDS = ["service", "task", "shell", "volume", "key"] as const;

export const foundSchema = z
  .object({
    kind: z.enum(SEARCHED_KINDS),
    id: z.string(),
    name: z.string().describe("Of a task that of its service."),
    state: z.string().nullable().describe("Of a task its phase; null for what has none."),
    created: timestampSchema,
  })
  .meta({ id: "Found" });

export type Found = z.output<typeof foundSchema>;
