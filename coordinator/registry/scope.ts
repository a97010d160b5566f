/** What a client requests from the token service: `repository:<name>:<action>,<action>`. */

export type Action = "pull" | "push";

/** As it stands in a token. */
export interface Access {
  readonly type: "repository";
  readonly name: string;
  readonly actions: readonly Action[];
}

/** To all names of repositories; for the service alone, so that no client can request it. */
export interface CatalogAccess {
  readonly type: "registry";
  readonly name: "catalog";
  readonly actions: readonly ["*"];
}

/** To delete images of a repository; for the service alone, likewise. */
export interface DeleteAccess {
  readonly type: "repository";
  readonly name: string;
  readonly actions: readonly ["delete"];
}

const ACTIONS: readonly Action[] = ["pull", "push"];

/** Any other scope, such as a registry's catalog, is granted to nobody and is left out. */
export function parseScopes(texts: readonly string[]): readonly Access[] {
  return texts.flatMap((text) => text.split(" ")).flatMap(parseScope);
}

/** The name may hold colons, after a host. */
function parseScope(text: string): readonly Access[] {
  const first = text.indexOf(":");
  const last = text.lastIndexOf(":");
  if (last === first || text.slice(0, first) !== "repository") return [];
  const requested = text.slice(last + 1).split(",");
  const actions = ACTIONS.filter((action) => requested.includes(action));
  return actions.length === 0 ? [] : [{ type: "repository", name: text.slice(first + 1, last), actions }];
}

/** The allowed part of what is requested: the rest is left out, and the registry rejects it. */
export function allowedOf(
  requested: readonly Access[],
  allows: (repository: string, action: Action) => boolean,
): readonly Access[] {
  return requested.flatMap((access) => {
    const actions = access.actions.filter((action) => allows(access.name, action));
    return actions.length === 0 ? [] : [{ ...access, actions }];
  });
}
