/** The GPU that a prover worked on failed. */
export class GpuFaultError extends Error {
  override readonly name = "GpuFaultError";
}
