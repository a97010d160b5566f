/**
 * Microseconds since the Unix epoch, comparable between the processes of one machine: each process reads the
 * same wall clock once, at its start, and counts on from there. Load processes are restarted for each
 * benchmark, so what the wall clock is slewed meanwhile does not add up.
 */
export function nowUs(): number {
  return (performance.timeOrigin + performance.now()) * 1000;
}
