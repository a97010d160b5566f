/**
 * Microseconds of the machine's monotonic clock, which all its processes share: unlike the wall clock, nobody sets or slews
 * it while a benchmark runs.
 */
export function nowUs(): number {
  return Number(process.hrtime.bigint()) / 1000;
}

const EDGES = 3;

/**
 * What a time of the wall clock, in microseconds since the epoch, takes to become one of `nowUs`; true for as long as the
 * wall clock is not slewed by much. Takes up to three milliseconds, in which nothing else happens.
 */
export function wallToNowUs(): number {
  let least = Number.POSITIVE_INFINITY;
  // Who is interrupted between the two readings sees an edge late, and never early.
  for (let edge = 0; edge < EDGES; edge++) {
    const before = Date.now();
    let wallMs = before;
    while (wallMs === before) wallMs = Date.now();
    least = Math.min(least, nowUs() - wallMs * 1000);
  }
  return least;
}
