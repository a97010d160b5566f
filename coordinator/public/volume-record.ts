/** The one place that knows a volume's public JSON. */
import { z } from "zod";
import type { Service } from "../domain/service.ts";
import type { Volume, VolumeFile } from "../domain/volume.ts";
import { idSchema } from "./id-schema.ts";
import { timestamp, timestampOrNull, timestampSchema } from "./timestamp.ts";

export const sha256Schema = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "64 lower-case hexadecimal digits")
  .describe("SHA-256, in lower-case hexadecimal.");

export const volumeSchema = z
  .object({
    volume_id: idSchema,
    name: z.string(),
    team_id: idSchema,
    creator_id: idSchema,
    created: timestampSchema,
    last_deployed: timestampSchema.nullable(),
    file_count: z.int(),
    bytes: z.int().describe("Of all files."),
    services: z
      .array(z.object({ service_id: idSchema, service_name: z.string() }))
      .describe("Those that have it deployed: it is not deleted while there is one."),
    sha256: sha256Schema.describe("Of the list of files: volumes with the same files have the same."),
  })
  .meta({ id: "Volume" });

const volumeFileSchema = z.object({ path: z.string(), sha256: sha256Schema, bytes: z.int() });

export const volumeWithFilesSchema = volumeSchema
  .extend({ files: z.array(volumeFileSchema).describe("In the order of their paths.") })
  .meta({ id: "VolumeWithFiles" });

export type VolumeRecord = z.output<typeof volumeSchema>;

type Deployed = Pick<Service, "id" | "name">;

export function volumeRecord(volume: Volume, services: readonly Deployed[]): VolumeRecord {
  return {
    volume_id: volume.id,
    name: volume.name,
    team_id: volume.teamId,
    creator_id: volume.creatorId,
    created: timestamp(volume.createdAt),
    last_deployed: timestampOrNull(volume.usedAt),
    file_count: volume.files,
    bytes: volume.bytes,
    services: services.map(({ id, name }) => ({ service_id: id, service_name: name })),
    sha256: volume.manifestSha256,
  };
}

export function volumeWithFiles(
  volume: Volume,
  services: readonly Deployed[],
  files: readonly VolumeFile[],
): z.output<typeof volumeWithFilesSchema> {
  return {
    ...volumeRecord(volume, services),
    files: files.map(({ path, sha256, bytes }) => ({ path, sha256, bytes })),
  };
}
