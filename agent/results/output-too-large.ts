/** A prover returned more than a result may have. */
export class OutputTooLargeError extends Error {
  override readonly name = "OutputTooLargeError";
}

export function tooLargeMessage(bytesMax: number): string {
  return `it is larger than the ${bytesMax} bytes a result may have`;
}
