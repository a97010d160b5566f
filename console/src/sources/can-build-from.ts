/** Whether services can be built from repositories here. Pure. */

interface Hosts {
  readonly items: readonly unknown[];
  readonly registry: boolean;
}

/** It takes a source host, and a registry for what is built. */
export function canBuildFrom({ items, registry }: Hosts): boolean {
  return registry && items.length > 0;
}
