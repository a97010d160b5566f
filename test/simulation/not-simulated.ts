/** Stands in for a part that no simulated task needs: whoever uses it has reached what the simulation does not have. */
export function notSimulated<T extends object>(part: string): T {
  return new Proxy({} as T, {
    get: (_, name) => {
      throw new Error(`the simulation has no ${part}, of which ${String(name)} is used`);
    },
  });
}
