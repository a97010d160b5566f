import { expect } from "vitest";

/** What it reads once it has not changed for a while. */
export async function stays(read: () => number): Promise<number> {
  let same = 0;
  let last = read();
  await expect
    .poll(() => {
      same = read() === last ? same + 1 : 0;
      last = read();
      return same;
    })
    .toBeGreaterThan(5);
  return last;
}
