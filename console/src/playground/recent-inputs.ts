/** The last inputs that this browser ran at each service. Nothing of them leaves it. */

const INPUTS_MAX = 5;
/** A longer input is not stored: a browser has a few million characters in all. */
const CHARS_MAX = 20_000;

type Store = Pick<Storage, "getItem" | "setItem">;

/** The newest first. */
export function recentInputs(serviceId: string, store: Store): readonly string[] {
  try {
    const stored: unknown = JSON.parse(store.getItem(nameOf(serviceId)) ?? "[]");
    return Array.isArray(stored) ? stored.filter((one) => typeof one === "string").slice(0, INPUTS_MAX) : [];
  } catch {
    return [];
  }
}

export function rememberInput(serviceId: string, input: string, store: Store): void {
  if (input.length > CHARS_MAX) return;
  const others = recentInputs(serviceId, store).filter((one) => one !== input);
  try {
    store.setItem(nameOf(serviceId), JSON.stringify([input, ...others].slice(0, INPUTS_MAX)));
  } catch {
    // There is no room, or storing is forbidden: the input is run all the same.
  }
}

function nameOf(serviceId: string): string {
  return `elastic.inputs.${serviceId}`;
}
