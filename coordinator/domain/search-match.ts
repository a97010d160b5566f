/** How well a record matches what somebody typed: by its name, or by the start of its id. Pure. */

/** Ids begin with their time: shorter beginnings are those of everything that was made in the same hours. */
const ID_PREFIX_MIN = 8;

const HEXADECIMAL = /^[0-9a-f]+$/;

/** The best is the least. */
export type MatchRank = 0 | 1 | 2 | 3;

/** The query as the start of an id, or null. */
export function idPrefixOf(query: string): string | null {
  const prefix = query.toLowerCase();
  return prefix.length >= ID_PREFIX_MIN && prefix.length <= 32 && HEXADECIMAL.test(prefix) ? prefix : null;
}

/** Null for no match. Upper and lower case do not matter. */
export function rankOf(query: string, { id, name }: { readonly id: string; readonly name: string }): MatchRank | null {
  const [wanted, named] = [query.toLowerCase(), name.toLowerCase()];
  if (named === wanted || id === wanted) return 0;
  if (named.startsWith(wanted)) return 1;
  const prefix = idPrefixOf(query);
  if (prefix !== null && id.startsWith(prefix)) return 2;
  return named.includes(wanted) ? 3 : null;
}
