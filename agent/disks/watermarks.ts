/** Between which marks disks are kept. Pure. */

export interface Watermarks {
  /** Above it things are evicted; where nothing can be, the node takes no new workloads. */
  readonly highPercent: number;
  /** Down to it things are evicted, and below it the node takes workloads again. */
  readonly lowPercent: number;
}

/** Whether a disk is above its mark. Once it was, the lower mark holds, so that a node does not change its mind with each file. */
export function isAbove({ highPercent, lowPercent }: Watermarks, usedPercent: number, wasAbove: boolean): boolean {
  return usedPercent > (wasAbove ? lowPercent : highPercent);
}

export function pressureText({ highPercent, lowPercent }: Watermarks, folder: string, usedPercent: number): string {
  const full = `the disk of ${folder} is ${Math.floor(usedPercent)} % full, above ${highPercent} %`;
  return `${full}, and nothing on it can be evicted: no new work before it is at ${lowPercent} %`;
}
