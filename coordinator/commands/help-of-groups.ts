/** What stands after the help of the program, and of its groups of commands. */
import { examples } from "./examples.ts";

const OF_GROUPS = {
  user: ["user create --name grace --team research", "user list --json"],
  team: ["team create --name studio", "team list"],
  key: ["key create --user ada --scopes nodes --expires 12h", "key list --disabled"],
  operator: ["operator add --user ada", "operator list"],
  audit: ["audit export", "audit export --follow"],
  token: ["token create --node gpu-7", "token list"],
  secrets: ["secrets status", "secrets rotate"],
  authority: ["authority status", "authority stage"],
  upgrade: ["upgrade start --version 0.2.0", "upgrade status"],
  image: ["image sweep --dry-run"],
} as const;

export type GroupName = keyof typeof OF_GROUPS;

export function helpOfGroup(name: GroupName): string {
  return examples(...OF_GROUPS[name].map((line) => `elastic-coordinator ${line}`));
}

export const HELP_END = `
Settings are read from the environment (ELASTIC_ETCD, …): \`elastic-coordinator serve --help\` lists them. Commands use the same ones.

Exit codes: 0 done, 1 it failed, 2 the command or a setting was wrong.
${examples(
  "elastic-coordinator bootstrap --user ada --team research",
  "elastic-coordinator serve",
  "elastic-coordinator token create --node gpu-7",
  "elastic-coordinator doctor",
)}`;
