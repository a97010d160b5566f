/** What a client says of a new volume: bounded, its paths clean and without a clash. */
import { z } from "zod";
import { VOLUME_BYTES_MAX, VOLUME_FILES_MAX } from "../domain/volume.ts";
import { clashingPath, wrongPath } from "../domain/volume-path.ts";
import { sha256Schema } from "./volume-record.ts";

const pathSchema = z.string().superRefine((path, context) => {
  const wrong = wrongPath(path);
  if (wrong !== null) context.addIssue({ code: "custom", message: wrong });
});

const fileSchema = z.strictObject({
  path: pathSchema.describe("Relative, with slashes, and clean."),
  sha256: sha256Schema,
  bytes: z.int().min(0).max(VOLUME_BYTES_MAX),
});

const filesSchema = z
  .array(fileSchema)
  .min(1)
  .max(VOLUME_FILES_MAX)
  .superRefine((files, context) => {
    const clash = clashingPath(files.map(({ path }) => path));
    if (clash !== null)
      context.addIssue({ code: "custom", message: `the path ${clash} is named twice, or is a folder` });
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    if (bytes > VOLUME_BYTES_MAX) context.addIssue({ code: "custom", message: `more than ${VOLUME_BYTES_MAX} bytes` });
  });

export const volumeRequestSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, "1 to 63 letters, digits, dots, dashes and underscores")
    .describe("Several volumes may have it: the newest is meant."),
  files: filesSchema,
});
