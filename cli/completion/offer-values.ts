/**
 * Names and ids that complete a command line: what `complete` prints of the service, where a word is a service, a task or
 * anything else with an id. The library, which completes commands and options, sends no requests.
 */
import type { Command } from "commander";
import { listAuthorizedKeys } from "../api/authorized-keys.ts";
import { listBuilds } from "../api/builds.ts";
import type { Caller } from "../api/caller.ts";
import { listKeys } from "../api/keys.ts";
import { listInvitations, listMembers } from "../api/members.ts";
import { listNodes } from "../api/nodes.ts";
import { listDeployments, listServices } from "../api/services.ts";
import { listShells } from "../api/shells.ts";
import { listTasks } from "../api/tasks.ts";
import { listTeams } from "../api/teams.ts";
import { listVolumes } from "../api/volumes.ts";
import { listDeliveries, listWebhooks } from "../api/webhooks.ts";
import { activeTeam } from "../session/active-team.ts";

/** A word, and what is shown next to it. */
export type Offer = readonly [value: string, description: string];

const TASKS_MAX = 20;
/** Of each webhook. */
const DELIVERIES_MAX = 20;

/** `serviceId` is that of the directory, or of `--service`. */
type List = (caller: Caller, serviceId: () => Promise<string>) => Promise<readonly Offer[]>;

const services: List = async (caller) => (await listServices(caller)).map((one) => [one.service_name, one.state]);
const tasks: List = async (caller) =>
  (await listTasks(caller, {}, TASKS_MAX)).items.map((one) => [one.task_id, `${one.service_name} ${one.state}`]);
const deployments: List = async (caller, serviceId) =>
  (await listDeployments(caller, await serviceId())).map((one) => [one.deployment_id, `${one.tag} ${one.state}`]);
const builds: List = async (caller, serviceId) =>
  (await listBuilds(caller, await serviceId())).map((one) => [one.build_id, one.phase]);
const webhooks: List = async (caller, serviceId) =>
  (await listWebhooks(caller, await serviceId())).map((one) => [one.webhook_id, one.name ?? one.url]);
const shells: List = async (caller) => (await listShells(caller)).map((one) => [one.shell_name, one.state]);
const volumes: List = async (caller) => (await listVolumes(caller)).map((one) => [one.name, one.volume_id]);
const teams: List = async (caller) => (await listTeams(caller)).map((one) => [one.name, one.team_id]);
const nodes: List = async (caller) => (await listNodes(caller)).map((one) => [one.node_id, one.state]);
const keys: List = async (caller) =>
  (await listKeys(caller)).filter(({ revoked }) => revoked === null).map((one) => [one.key_id, one.name]);
const publicKeys: List = async (caller) => (await listAuthorizedKeys(caller)).map((one) => [one.key_id, one.name]);
const members: List = async (caller) => {
  const { team_id: teamId } = await activeTeam(caller, undefined);
  return (await listMembers(caller, teamId)).map((one) => [one.name, one.role]);
};
const invitations: List = async (caller) => {
  const { team_id: teamId } = await activeTeam(caller, undefined);
  return (await listInvitations(caller, teamId)).map((one) => [one.invitation_id, one.role]);
};
const deliveries: List = async (caller, serviceId) => {
  const ofService = await listWebhooks(caller, await serviceId());
  const newest = { state: undefined, page: 1, size: DELIVERIES_MAX };
  const pages = await Promise.all(ofService.map(({ webhook_id: id }) => listDeliveries(caller, id, newest)));
  return pages.flatMap(({ items }) => items.map((one): Offer => [one.delivery_id, `${one.type} ${one.state}`]));
};

const OF_ARGUMENT: Readonly<Record<string, List>> = {
  task_id: tasks,
  task_ids: tasks,
  deployment_id: deployments,
  build_id: builds,
  webhook_id: webhooks,
  delivery_id: deliveries,
  key_id: keys,
  public_key_id: publicKeys,
  node: nodes,
  user: members,
  shell: shells,
  volume: volumes,
  team: teams,
};
const OF_OPTION: Readonly<Record<string, List>> = {
  "--service": services,
  "--data": volumes,
  "--team": teams,
  "--user": members,
  "--revoke": invitations,
};

/** What the last of the words may be; null where it is none that the service knows. Pure. */
export function listFor(program: Command, words: readonly string[]): List | null {
  const before = words.slice(0, -1);
  const ofOption = OF_OPTION[before.at(-1) ?? ""];
  if (ofOption !== undefined) return ofOption;
  if (words.at(-1)?.startsWith("-")) return null;
  const { command, rest } = commandOf(program, before);
  const at = argumentsIn(command, rest);
  const { registeredArguments: known } = command;
  const argument = known[at] ?? (known.at(-1)?.variadic ? known.at(-1) : undefined);
  // Where there are choices, as of shells to complete in, the library knows them.
  if (argument === undefined || argument.argChoices !== undefined) return null;
  return OF_ARGUMENT[argument.name()] ?? null;
}

/** The command that the first words name, and the words after them. */
function commandOf(program: Command, words: readonly string[]): { command: Command; rest: readonly string[] } {
  const [first, ...rest] = words;
  const child = program.commands.find((command) => command.name() === first);
  return child === undefined ? { command: program, rest: words } : commandOf(child, rest);
}

/** How many of the words are arguments, and not options or their values. */
function argumentsIn(command: Command, words: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (!word.startsWith("-")) count += 1;
    else if (
      command.options.some(
        (option) => [option.short, option.long].includes(word) && (option.required || option.optional),
      )
    )
      at += 1;
  }
  return count;
}
