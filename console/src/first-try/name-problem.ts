/** What is wrong with a name for a service and its repository, before any request. Pure. */

const CHARACTERS_MAX = 63;

/** What services, GitHub and GitLab accept, all of them. Null for a name that is right. */
export function nameProblem(name: string): string | null {
  if (name === "") return "Enter a name.";
  if (name.length > CHARACTERS_MAX) return `At most ${CHARACTERS_MAX} characters.`;
  if (!/^[A-Za-z0-9._-]+$/.test(name)) return "Use letters, digits, dashes, underscores and dots only.";
  if (!/^[A-Za-z0-9]/.test(name)) return "Begin with a letter or a digit.";
  return /\.(git|atom)?$/i.test(name) ? "Do not end with a dot, .git or .atom." : null;
}
