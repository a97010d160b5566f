/** Copies an object that is too large for one request, within the store. */
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCopyCommand,
} from "@aws-sdk/client-s3";

export interface CopyRequest {
  readonly Bucket: string;
  readonly Key: string;
  readonly CopySource: string;
}

/** Nothing is left of one that fails. */
export async function copyInParts(
  client: S3Client,
  { Bucket, Key, CopySource }: CopyRequest,
  bytes: number,
  partBytes: number,
): Promise<void> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  try {
    const Parts = [];
    for (let from = 0, PartNumber = 1; from < bytes; from += partBytes, PartNumber++) {
      const CopySourceRange = `bytes=${from}-${Math.min(from + partBytes, bytes) - 1}`;
      const part = { Bucket, Key, UploadId, PartNumber, CopySource, CopySourceRange };
      const { CopyPartResult } = await client.send(new UploadPartCopyCommand(part));
      Parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
    }
    await client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }));
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => undefined);
    throw error;
  }
}
