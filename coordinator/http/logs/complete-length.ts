/** How many bytes of UTF-8 are there without a character at the end that is only begun. Bytes that are no UTF-8 are complete. */
const SEQUENCE_BYTES_MAX = 4;

export function completeLength(data: Uint8Array): number {
  for (let back = 1; back <= Math.min(SEQUENCE_BYTES_MAX, data.length); back++) {
    const byte = data[data.length - back] ?? 0;
    const isContinuation = (byte & 0b1100_0000) === 0b1000_0000;
    if (!isContinuation) return bytesOf(byte) > back ? data.length - back : data.length;
  }
  return data.length;
}

/** Of the character that the byte begins. */
function bytesOf(first: number): number {
  if (first >= 0b1111_0000) return 4;
  if (first >= 0b1110_0000) return 3;
  return first >= 0b1100_0000 ? 2 : 1;
}
