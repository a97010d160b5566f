/** With which verifier this browser checks the proofs of a service whose image does not say it. Nothing of it leaves the browser. */

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export function rememberedVerifier(serviceId: string, store: Store): string | null {
  return store.getItem(nameOf(serviceId));
}

/** Null for none. */
export function rememberVerifier(serviceId: string, image: string | null, store: Store): void {
  try {
    if (image === null) store.removeItem(nameOf(serviceId));
    else store.setItem(nameOf(serviceId), image);
  } catch {
    // There is no room, or storing is forbidden: it is chosen again.
  }
}

function nameOf(serviceId: string): string {
  return `elastic.verifier.${serviceId}`;
}
