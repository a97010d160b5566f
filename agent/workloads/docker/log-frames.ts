/** Takes the headers out of a container's log that tell standard output from standard error, piece by piece as it comes. */
const HEADER_BYTES = 8;

export function logFrames(onBytes: (bytes: Buffer) => void): (chunk: Buffer) => void {
  let header: Buffer = Buffer.alloc(0);
  let left = 0;
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      if (left === 0) {
        const piece = chunk.subarray(at, at + HEADER_BYTES - header.length);
        at += piece.length;
        header = header.length === 0 ? piece : Buffer.concat([header, piece]);
        if (header.length < HEADER_BYTES) return;
        left = header.readUInt32BE(4);
        header = Buffer.alloc(0);
      } else {
        const piece = chunk.subarray(at, at + left);
        at += piece.length;
        left -= piece.length;
        onBytes(piece);
      }
    }
  };
}
