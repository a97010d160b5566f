/** What the owner of a prover reads that the kernel killed for memory: how much it had, and how it gets more. */

const MIB = 1024 * 1024;

/** `memoryBytes` is the limit, all of which was in use; null where it is not known. */
export function outOfMemoryText(what: string, memoryBytes: number | null): string {
  const used =
    memoryBytes === null ? "the memory that it may use" : `the ${Math.round(memoryBytes / MIB)} MiB that it may use`;
  return `${what} used all of ${used} and was killed; deploy it with more (resources.memory_bytes, or elastic deploy --memory)`;
}
