/** Commands that whoever runs the service may look for here. */

/** The first words of `elastic-coordinator`, but for those that this program has too. */
const OF_COORDINATORS = new Set([
  "authority",
  "backup",
  "backup-key",
  "bootstrap",
  "image",
  "login-link",
  "lost-tasks",
  "operator",
  "registry-cert",
  "restore",
  "secrets",
  "serve",
  "token",
  "use-archive",
  "user",
]);
const OF_AGENTS = new Set(["bench", "drain", "enroll", "resume", "run", "status"]);

/** What to run in its place; null for a command of nobody. */
export function operatorsCommand(word: string): string | null {
  if (OF_COORDINATORS.has(word)) {
    return `It is a command of operators, on a coordinator's machine: \`elastic-coordinator ${word} --help\`.`;
  }
  return OF_AGENTS.has(word) ? `It is a command on a machine of the fleet: \`elastic-agent ${word} --help\`.` : null;
}
