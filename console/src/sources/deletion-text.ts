/** What stops when a connection is deleted. Pure. */

const NAMED_MAX = 20;

/** `names` are of the services that are built from its repositories. */
export function deletionText(names: readonly string[]): string {
  if (names.length === 0) return "No service is built from its repositories.";
  const further = names.length - NAMED_MAX;
  const named = names.slice(0, NAMED_MAX).join(", ");
  const all = further > 0 ? `${named} and ${further.toLocaleString()} more` : named;
  return `No longer built, but still serving: ${all}.`;
}
