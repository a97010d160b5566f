/** How one stock is shared by those who take from it piece by piece, without anything being withheld from a sole one. */

/**
 * Whether one that has `own` of the `taken` may take one more, where there are `max`: nobody has more than half of what
 * the others leave, so that something is left for whoever comes.
 */
export function mayTakeMore({ own, taken, max }: Taken): boolean {
  return 2 * own < max - (taken - own);
}

interface Taken {
  readonly own: number;
  readonly taken: number;
  readonly max: number;
}
