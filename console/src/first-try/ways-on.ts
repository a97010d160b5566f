/** What to offer, next to trying again, where a first try failed. Pure. */

export type WayOn = "use the repository" | "authorize" | "connect" | "open the service";

/** By the code of the refusal. */
const WAYS: Readonly<Record<string, WayOn>> = {
  repository_name_taken: "use the repository",
  source_authorization_needed: "authorize",
  source_connection_ended: "connect",
  source_not_permitted: "connect",
  service_name_taken: "open the service",
};

/** Null where there is none but another name, another account, or no repository at all. */
export function wayOn(code: string): WayOn | null {
  return Object.hasOwn(WAYS, code) ? (WAYS[code] ?? null) : null;
}
