/** The one place that knows an upload's public JSON. */
import { z } from "zod";
import type { Upload } from "../domain/upload.ts";
import { idSchema } from "./id-schema.ts";
import { timestamp, timestampSchema } from "./timestamp.ts";

export const uploadSchema = z
  .object({
    upload_id: idSchema,
    team_id: idSchema,
    bytes: z.int(),
    sha256: z.string().describe("Of the bytes, in lower-case hexadecimal."),
    created: timestampSchema,
    expires: timestampSchema.describe("Until then it may be named as the input of tasks."),
  })
  .meta({ id: "Upload" });

export function uploadRecord(upload: Upload): z.output<typeof uploadSchema> {
  return {
    upload_id: upload.id,
    team_id: upload.teamId,
    bytes: upload.bytes,
    sha256: upload.sha256,
    created: timestamp(upload.createdAt),
    expires: timestamp(upload.expiresAt),
  };
}
