/** As Promise.all, but also a failure waits for the others: what they started must be there to be ended. */
export async function atOnce<T extends readonly unknown[]>(
  parts: T,
): Promise<{ -readonly [index in keyof T]: Awaited<T[index]> }> {
  await Promise.allSettled(parts);
  return await Promise.all(parts);
}
