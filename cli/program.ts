/** All commands. Each is one file in commands/. */
import { Command } from "commander";
import { accountDelete } from "./commands/account-delete.ts";
import { audit } from "./commands/audit.ts";
import { build } from "./commands/build.ts";
import { dataGroup } from "./commands/data-group.ts";
import { deploy } from "./commands/deploy.ts";
import { deploymentGroup } from "./commands/deployment-group.ts";
import { doctor } from "./commands/doctor.ts";
import { examples } from "./commands/examples.ts";
import { explainExcess } from "./commands/explain-excess.ts";
import { init } from "./commands/init.ts";
import { keyCreate } from "./commands/key-create.ts";
import { keyList } from "./commands/key-list.ts";
import { keyRevoke } from "./commands/key-revoke.ts";
import { listen } from "./commands/listen.ts";
import { login } from "./commands/login.ts";
import { logout } from "./commands/logout.ts";
import { nodeGroup } from "./commands/node-group.ts";
import { open } from "./commands/open.ts";
import { chosenFormat } from "./commands/output-options.ts";
import { poolGroup } from "./commands/pool-group.ts";
import { serviceCreate } from "./commands/service-create.ts";
import { serviceDelete } from "./commands/service-delete.ts";
import { serviceInfo } from "./commands/service-info.ts";
import { serviceList } from "./commands/service-list.ts";
import { serviceLogs } from "./commands/service-logs.ts";
import { serviceMetrics } from "./commands/service-metrics.ts";
import { shellGroup } from "./commands/shell-group.ts";
import { taskBatch } from "./commands/task-batch.ts";
import { taskCancel } from "./commands/task-cancel.ts";
import { taskCreate } from "./commands/task-create.ts";
import { taskInfo } from "./commands/task-info.ts";
import { taskList } from "./commands/task-list.ts";
import { taskLogs } from "./commands/task-logs.ts";
import { taskWait } from "./commands/task-wait.ts";
import { teamCreate } from "./commands/team-create.ts";
import { teamDelete } from "./commands/team-delete.ts";
import { teamInvitations } from "./commands/team-invitations.ts";
import { teamInvite } from "./commands/team-invite.ts";
import { teamJoin } from "./commands/team-join.ts";
import { teamList } from "./commands/team-list.ts";
import { teamMembers } from "./commands/team-members.ts";
import { teamRemove } from "./commands/team-remove.ts";
import { teamRename } from "./commands/team-rename.ts";
import { teamRole } from "./commands/team-role.ts";
import { teamSwitch } from "./commands/team-switch.ts";
import { usage } from "./commands/usage.ts";
import { webhookGroup } from "./commands/webhook-group.ts";
import { addCompletion } from "./completion/add-completion.ts";
import type { Context } from "./context/context.ts";

const HELP_END = `
Environment:
  ELASTIC_URL          base address of the service
  ELASTIC_API_KEY      API key; goes before the stored one
  ELASTIC_TEAM         active team, by name or id; goes before the stored one
  ELASTIC_CA_FILE      certificates of the service's private authority; goes before the stored one
  ELASTIC_BUILD_IMAGE  image with the Rust toolchain for builds; ELASTIC_RUN_IMAGE what their images run in
  BROWSER              program with which \`elastic open\` shows a page
  DOCKER_HOST          where the container engine listens, as unix:///path or tcp://host:port
  ELASTIC_CONFIG_DIR   where the login is stored
  NO_COLOR             no colours

Exit codes:
  0  done                     3  not logged in, or the key was refused
  1  failed                   4  not found
  2  the command was wrong    5  no response, or retry later: the same command may work then

  2 is also for what the server finds wrong in the command, such as a bad name, image, tag or input.
  \`shell connect\` and \`shell cp\` end as ssh and scp do: 255 where they could not connect.

Ids:
  An id may be shortened to its first 8 characters or more, as long as they are of one id; \`latest\` is the newest.

Examples:
  $ elastic login
  $ elastic service create poseidon
  $ elastic deploy --image builtin:poseidon --wait
  $ elastic task create --file input.json
  $ elastic task info <task_id> -d`;

export function program(context: Context, version: string): Command {
  const program = new Command("elastic")
    .description("Deploy provers and create proofs on the Elastic Proving Service.")
    // A group may have an action and options next to its commands, as `build` has.
    .enablePositionalOptions()
    .version(version, "-V, --version", "print the version")
    .addHelpText("after", HELP_END)
    .hook("preAction", (_program, command) => context.printer.useFormat(chosenFormat(command)))
    .addCommand(login(context))
    .addCommand(logout(context))
    .addCommand(
      group("account", "your own user", [accountDelete(context)]).addHelpText(
        "after",
        examples("elastic account delete"),
      ),
    )
    .addCommand(
      group("team", "your teams and who is in them", [
        teamList(context),
        teamSwitch(context),
        teamCreate(context),
        teamRename(context),
        teamDelete(context),
        teamMembers(context),
        teamInvite(context),
        teamInvitations(context),
        teamJoin(context),
        teamRole(context),
        teamRemove(context),
      ]).addHelpText("after", examples("elastic team list", "elastic team switch research", "elastic team invite")),
    )
    .addCommand(
      group("key", "your access keys", [keyList(context), keyCreate(context), keyRevoke(context)]).addHelpText(
        "after",
        examples("elastic key list", "elastic key create ci --team research --expires 30d"),
      ),
    )
    .addCommand(
      group("service", "the service of this directory, and the team's others", [
        serviceCreate(context),
        serviceInfo(context),
        serviceList(context),
        serviceLogs(context),
        serviceMetrics(context),
        serviceDelete(context),
      ]).addHelpText("after", examples("elastic service create poseidon", "elastic service info")),
    )
    .addCommand(open(context))
    .addCommand(init(context))
    .addCommand(build(context))
    .addCommand(deploy(context))
    .addCommand(deploymentGroup(context))
    .addCommand(dataGroup(context))
    .addCommand(
      group("task", "proof tasks", [
        taskCreate(context),
        taskBatch(context),
        taskInfo(context),
        taskWait(context),
        taskLogs(context),
        taskList(context),
        taskCancel(context),
      ]).addHelpText("after", examples("elastic task create --file input.json", "elastic task info <task_id> -d")),
    )
    .addCommand(shellGroup(context))
    .addCommand(nodeGroup(context))
    .addCommand(poolGroup(context))
    .addCommand(webhookGroup(context))
    .addCommand(listen(context));
  program.addCommand(usage(context)).addCommand(audit(context)).addCommand(doctor(context));
  addCompletion(program, context);
  everyCommand(program, (command) => {
    command.exitOverride((error) => {
      throw explainExcess(command, error);
    });
    // The error is printed once, by run.ts, like every other.
    command.configureOutput({ outputError: () => {} });
  });
  return program;
}

function group(name: string, description: string, commands: readonly Command[]): Command {
  const parent = new Command(name).description(description);
  for (const command of commands) parent.addCommand(command);
  return parent;
}

function everyCommand(command: Command, visit: (command: Command) => void): void {
  visit(command);
  for (const child of command.commands) everyCommand(child, visit);
}
