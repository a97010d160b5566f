/** Where blobs are in an object store, as a setting says it. */

export interface S3Location {
  readonly bucket: string;
  /** Begins every key: empty, or with a slash at its end. */
  readonly prefix: string;
}

/** `s3://bucket` or `s3://bucket/prefix`; null for anything else. */
export function parseS3Location(text: string): S3Location | null {
  const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9!_.*'()/-]*))?$/.exec(text);
  const bucket = match?.[1];
  if (bucket === undefined) return null;
  const path = (match?.[2] ?? "").replace(/^\/+|\/+$/g, "");
  return { bucket, prefix: path === "" ? "" : `${path}/` };
}
