/** What to do about what was not found, or may not be done: the command that shows what there is. */

const LIST_OF: ReadonlyMap<string | undefined, string> = new Map([
  ["access key", "elastic key list"],
  ["task", "elastic task list"],
  ["service", "elastic service list"],
  ["deployment", "elastic deployment list"],
  ["build", "elastic build list"],
  ["webhook", "elastic webhook list"],
  ["delivery", "elastic webhook deliveries <webhook_id>"],
  ["volume", "elastic data ls"],
  ["shell", "elastic shell list"],
  ["member", "elastic team members"],
  ["node", "elastic node list"],
  ["authorised key", "elastic shell key list"],
]);

/** What another active team would change nothing about. */
const OF_NO_TEAM: ReadonlySet<string | undefined> = new Set(["node", "authorised key"]);

/** `noun` as the server says it, where it says one. */
export function nextForUnknown(noun: string | undefined): string {
  if (noun === "team") {
    return "You are not in it, or no longer: run `elastic team switch` to choose the active team among yours.";
  }
  if (noun === "invitation") {
    return "It may have expired, been used or been revoked: an owner sees the open ones by `elastic team invitations`.";
  }
  const list = LIST_OF.get(noun);
  if (list === undefined) return "Check the id; what belongs to another team than the active one is not found.";
  if (OF_NO_TEAM.has(noun)) return `\`${list}\` shows those there are.`;
  return `Check the id: \`${list}\` shows those there are. For another team's, run \`elastic team switch\` first.`;
}

/** Any of `scopes` would do; `lacked` is one that the key in use cannot grant. */
export function nextForScope(scopes: readonly string[], lacked: string | undefined): string {
  if (lacked === "admin") return OPERATOR;
  if (lacked !== undefined) return "Log in with a key that has it: `elastic key list` shows the scopes of yours.";
  const given = scopes.filter((scope) => scope !== "admin");
  if (given.length === 0) return scopes.length === 0 ? ASK : OPERATOR;
  const others = given.length < scopes.length ? " The scope admin is given by the operator alone." : "";
  return `\`elastic key create <name> --scopes ${given[0]}\` makes a key with it, if your own has it; else ${elseAsk(given[0])}${others}`;
}

/** Machines are of no team, so no owner of one may hand them out. */
function elseAsk(scope: string | undefined): string {
  return scope === "nodes" ? "ask whoever operates the service." : "ask an owner of the team.";
}

const ASK = "Use an API key that may do this; `elastic key list` shows what yours may do.";
const OPERATOR = "That scope is given by the operator of the service alone, with `elastic-coordinator key create`.";
