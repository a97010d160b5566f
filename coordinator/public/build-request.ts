/** The request for a build: every field with its bounds and default. */
import { z } from "zod";
import { type BuildSettings, SOURCE_BYTES_MAX } from "../domain/build.ts";
import { wrongPath } from "../domain/volume-path.ts";
import { parseGitRef } from "../source-hosts/git-ref.ts";
import { sha256Schema } from "./volume-record.ts";

/** A record holds them. */
const ARGS_MAX = 32;
const ARG_CHARACTERS_MAX = 512;
const ARGS_CHARACTERS_MAX = 2_048;
const PARTS_MAX = 512;

const partSchema = z.strictObject({ sha256: sha256Schema, bytes: z.int().min(1).max(SOURCE_BYTES_MAX) });

const pathSchema = z
  .string()
  .max(512)
  .superRefine((path, context) => {
    const wrong = path === "" ? null : wrongPath(path);
    if (wrong !== null) context.addIssue({ code: "custom", message: wrong });
  });

const argsSchema = z
  .record(
    z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, "letters, digits and underscores, no digit first"),
    z.string().max(ARG_CHARACTERS_MAX),
  )
  .superRefine((args, context) => {
    const entries = Object.entries(args);
    const characters = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
    if (entries.length > ARGS_MAX) context.addIssue({ code: "custom", message: `more than ${ARGS_MAX} arguments` });
    if (characters > ARGS_CHARACTERS_MAX) {
      context.addIssue({ code: "custom", message: `more than ${ARGS_CHARACTERS_MAX} characters in all` });
    }
  });

const sentSchema = z.strictObject({
  parts: z
    .array(partSchema)
    .min(1)
    .max(PARTS_MAX)
    .refine((parts) => parts.reduce((sum, { bytes }) => sum + bytes, 0) <= SOURCE_BYTES_MAX, {
      message: `more than ${SOURCE_BYTES_MAX} bytes`,
    }),
});

const repositorySchema = z.strictObject({
  repository: z.strictObject({
    ref: z
      .string()
      .min(1)
      .max(250)
      .refine((text) => parseGitRef(text) !== null, "is no branch, tag or commit: refs/tags/ and a tag, or 40 digits")
      .optional()
      .describe(
        "Branch, `refs/tags/` and a tag, or a commit on the service's branch; the branch where it is left out.",
      ),
  }),
});

export const buildRequestSchema = z.strictObject({
  source: z
    .union([sentSchema, repositorySchema])
    .describe(
      "The service's repository at a ref, or a tar archive, perhaps compressed with gzip, cut into parts that were each " +
        "sent with PUT /v1/volumes/files/<sha256>.",
    ),
  base_dir: pathSchema
    .optional()
    .describe(
      "Directory of the source to build from; its root, or that of the service's repository, where it is left out.",
    ),
  build_file: pathSchema
    .refine((path) => path !== "", "not empty")
    .default("Dockerfile")
    .describe("Relative to `base_dir`."),
  target: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/, "the name of a stage")
    .optional()
    .describe("Stage to stop at; the last where it is left out."),
  build_args: argsSchema.default({}).describe("Values of the build file's ARGs. They are no place for secrets."),
  no_cache: z.boolean().default(false).describe("Whether to run every step, and give no earlier build's image."),
  deploy: z
    .boolean()
    .default(false)
    .describe(
      "Whether the image is deployed once it is built: with the settings of the service's newest deployment, or the " +
        "default ones for a first, and after it has proved the service's last successful input.",
    ),
  tag: z
    .string()
    .regex(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/, "letters, digits, dots, dashes and underscores")
    .optional()
    .describe("Of the image; made of the build's id where it is left out."),
});

export type BuildRequest = z.output<typeof buildRequestSchema>;

/** `baseDir` where the request names none. */
export function toBuildSettings(
  { base_dir, build_file, target, build_args }: BuildRequest,
  baseDir: string,
): BuildSettings {
  return { baseDir: base_dir ?? baseDir, buildFile: build_file, target: target ?? "", buildArgs: build_args };
}
