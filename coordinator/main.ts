#!/usr/bin/env node
/** `elastic-coordinator`: reads the command line and the environment, and runs the command. */
import { runCommandLine, USAGE_EXIT } from "@elastic/std/command-line.ts";
import { Command } from "commander";
import { upgradeChangeCommands } from "./commands/agent-upgrade-change.ts";
import { upgradeStartCommand } from "./commands/agent-upgrade-start.ts";
import { auditExportCommand } from "./commands/audit-export.ts";
import { authorityStatusCommand } from "./commands/authority-status.ts";
import { authorityStepCommands } from "./commands/authority-step.ts";
import { backupCommand } from "./commands/backup.ts";
import { backupKeyCommand } from "./commands/backup-key.ts";
import { bootstrapCommand } from "./commands/bootstrap.ts";
import type { CommandContext } from "./commands/command-context.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { type GroupName, HELP_END, helpOfGroup } from "./commands/help-of-groups.ts";
import { imageSweepCommand } from "./commands/image-sweep.ts";
import { keyCreateCommand } from "./commands/key-create.ts";
import { keyEnableCommand } from "./commands/key-enable.ts";
import { keyListCommand } from "./commands/key-list.ts";
import { keyRevokeCommand } from "./commands/key-revoke.ts";
import { loginLinkCommand } from "./commands/login-link.ts";
import { lostTasksCommand } from "./commands/lost-tasks.ts";
import { operatorAddCommand, operatorRemoveCommand } from "./commands/operator-change.ts";
import { operatorListCommand } from "./commands/operator-list.ts";
import { registryCertCommand } from "./commands/registry-cert.ts";
import { restoreCommand } from "./commands/restore.ts";
import { secretsStatusCommand } from "./commands/secrets-status.ts";
import { secretsStepCommands } from "./commands/secrets-step.ts";
import { serveCommand } from "./commands/serve.ts";
import { teamCreateCommand } from "./commands/team-create.ts";
import { teamListCommand } from "./commands/team-list.ts";
import { tokenCreateCommand } from "./commands/token-create.ts";
import { tokenListCommand } from "./commands/token-list.ts";
import { tokenRevokeCommand } from "./commands/token-revoke.ts";
import { useArchiveCommand } from "./commands/use-archive.ts";
import { userCreateCommand } from "./commands/user-create.ts";
import { userDeleteCommand } from "./commands/user-delete.ts";
import { userListCommand } from "./commands/user-list.ts";
import { writeOutput } from "./commands/write-output.ts";
import { ConfigError } from "./config/config.ts";
import manifest from "./package.json" with { type: "json" };

// Node warns of an address in the place of a name wherever etcd is given as one, which nobody here can change.
process.noDeprecation = true;

let command = "";

const context: CommandContext = {
  command: () => command,
  env: process.env,
  print: (text) => console.log(text),
  write: writeOutput,
  progress: (text) => console.error(text),
  fail: (reason) => {
    console.error(`elastic-coordinator: ${reason instanceof Error ? reason.message : String(reason)}`);
    process.exit(reason instanceof ConfigError ? USAGE_EXIT : 1);
  },
  done: () => process.exit(0),
};

const program = new Command("elastic-coordinator")
  .description("Control plane of the Elastic Proving Service: the public API, the scheduler, and the links to agents.")
  .version(manifest.version)
  .addHelpText("after", HELP_END)
  // The --version of `upgrade start` is another one.
  .enablePositionalOptions()
  .hook("preAction", (_program, running) => {
    command = pathOf(running);
  })
  .addCommand(serveCommand(context))
  .addCommand(bootstrapCommand(context))
  .addCommand(
    group(
      "user",
      "the users of the service",
      userCreateCommand(context),
      userListCommand(context),
      userDeleteCommand(context),
    ),
  )
  .addCommand(group("team", "their teams", teamCreateCommand(context), teamListCommand(context)))
  .addCommand(
    group(
      "key",
      "their access keys",
      keyCreateCommand(context),
      keyListCommand(context),
      keyRevokeCommand(context),
      keyEnableCommand(context),
    ),
  )
  .addCommand(loginLinkCommand(context))
  .addCommand(
    group(
      "operator",
      "the users who run this service, in the console",
      operatorAddCommand(context),
      operatorRemoveCommand(context),
      operatorListCommand(context),
    ),
  )
  .addCommand(
    group(
      "token",
      "tokens with which machines join",
      tokenCreateCommand(context),
      tokenListCommand(context),
      tokenRevokeCommand(context),
    ),
  )
  .addCommand(
    group(
      "secrets",
      "the master keys, and their rotation",
      secretsStatusCommand(context),
      ...secretsStepCommands(context),
    ),
  )
  .addCommand(
    group(
      "authority",
      "the root of the nodes' certificates, and its rotation",
      authorityStatusCommand(context),
      ...authorityStepCommands(context),
    ),
  )
  .addCommand(group("audit", "who changed what", auditExportCommand(context)))
  .addCommand(
    group(
      "upgrade",
      "another version of the agents of all nodes",
      upgradeStartCommand(context),
      ...upgradeChangeCommands(context),
    ),
  )
  .addCommand(group("image", "images in this service's own registry", imageSweepCommand(context)))
  .addCommand(registryCertCommand(context))
  .addCommand(useArchiveCommand(context))
  .addCommand(backupKeyCommand(context))
  .addCommand(backupCommand(context))
  .addCommand(restoreCommand(context))
  .addCommand(lostTasksCommand(context))
  .addCommand(doctorCommand(context));

await runCommandLine(program);

function group(name: GroupName, description: string, ...commands: readonly Command[]): Command {
  const parent = new Command(name).description(description).addHelpText("after", helpOfGroup(name));
  for (const command of commands) parent.addCommand(command);
  return parent;
}

/** Without the program's own name. */
function pathOf(running: Command): string {
  const { parent } = running;
  return parent?.parent == null ? running.name() : `${parent.name()} ${running.name()}`;
}
