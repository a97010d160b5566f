/** What this browser stores is of one user: it is forgotten when that user logs out, or another one logs in. */

const PREFIX = "elastic.";
const USER = `${PREFIX}user`;

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/** Before anything that is stored is read. */
export function storeForUser(userId: string, store: Store): void {
  if (store.getItem(USER) === userId) return;
  forgetUser(store);
  store.setItem(USER, userId);
}

export function forgetUser(store: Store): void {
  const names = Array.from({ length: store.length }, (_, index) => store.key(index));
  for (const name of names) if (name?.startsWith(PREFIX)) store.removeItem(name);
}

/** Calls when another tab logged this user out, or another one in. Returns what stops that. */
export function onOtherUser(userId: string, call: () => void): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === USER && newValue !== userId) call();
  };
  window.addEventListener("storage", onStorage);
  return () => window.removeEventListener("storage", onStorage);
}
