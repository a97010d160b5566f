/** docs/reference/settings.md: every setting of the two programs, from the tables that their `--help` is made of. */
import { SETTINGS as OF_AGENT } from "@elastic/agent/config/settings.ts";
import { SETTINGS as OF_COORDINATOR } from "@elastic/coordinator/config/settings.ts";
import { PROVIDER_HELP } from "@elastic/coordinator/login/provider-settings.ts";
import { SOURCE_HELP } from "@elastic/coordinator/source-hosts/source-settings.ts";
import { code, markdownTable } from "./markdown-table.ts";

export function settingsPage(): string {
  const ofCoordinator = Object.values(OF_COORDINATOR).map((setting) => [
    code(setting.env),
    code(`${setting.flag} ${setting.placeholder}`),
    setting.default === "" ? "" : code(setting.default),
    prose(setting.help),
  ]);
  const ofAgent = Object.entries(OF_AGENT).map(([env, setting]) => [
    code(env),
    setting.default ?? "",
    prose(setting.help),
  ]);
  return `# Settings

An empty variable counts as one that is not set. A value that cannot be used ends the program with exit code 2 and a message
that names the variable.

## Coordinator

Read by \`elastic-coordinator serve\`. A flag takes precedence over its variable.

${markdownTable(["Variable", "Flag", "Default", "Meaning"], ofCoordinator)}

### Login providers
${fenced(PROVIDER_HELP)}

### Source hosts
${fenced(SOURCE_HELP)}

## Agent

Read by \`elastic-agent run\`, from the environment alone. Certificates and coordinators come from the machine's enrolment
where they are not set.

${markdownTable(["Variable", "Default", "Meaning"], ofAgent)}
`;
}

/** Placeholders such as <file> are no markup. */
function prose(help: string): string {
  return help.replaceAll("<", "\\<");
}

/** Its own columns stay as they are in a terminal. */
function fenced(help: string): string {
  return `\n\`\`\`text\n${help.trim()}\n\`\`\``;
}
