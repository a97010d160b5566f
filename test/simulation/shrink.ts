/** Delta debugging (Zeller and Hildebrandt, 2002): the fewest of the items with which a test still fails. */

/** `fails` holds for all items. What it returns fails, and without any one of its items it does not. */
export async function shrink<T>(
  items: readonly T[],
  fails: (some: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let left = items;
  for (let parts = 2; left.length > 0; ) {
    const size = Math.ceil(left.length / parts);
    const smaller = await firstThatFails(left, size, fails);
    if (smaller !== null) {
      left = smaller;
      parts = Math.max(2, Math.min(parts - 1, left.length));
    } else if (size === 1) break;
    else parts = Math.min(left.length, 2 * parts);
  }
  return left;
}

async function firstThatFails<T>(
  items: readonly T[],
  size: number,
  fails: (some: readonly T[]) => Promise<boolean>,
): Promise<readonly T[] | null> {
  for (let from = 0; from < items.length; from += size) {
    const without = [...items.slice(0, from), ...items.slice(from + size)];
    if (await fails(without)) return without;
  }
  return null;
}
