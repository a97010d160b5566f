/** `elastic-coordinator registry-cert`: the certificate by which the registry knows the tokens of this service. */
import { existsSync } from "node:fs";
import { Command } from "commander";
import { ConfigError } from "../config/config.ts";
import { authorityBundle, registryAuthorities } from "../registry/authority.ts";
import { openSecrets } from "../secrets/secrets.ts";
import type { CommandContext } from "./command-context.ts";
import { configOf, type Flags, optionOf } from "./setting-options.ts";

export function registryCertCommand(context: CommandContext): Command {
  return new Command("registry-cert")
    .description("print the certificate that this service's registry must trust: its `rootcertbundle`")
    .addOption(optionOf("secretsKeyFile"))
    .addHelpText(
      "after",
      `
One certificate for each live master key. While a key is rotated (\`secrets stage\`), print this again and restart the
registry with it before \`secrets promote\`, and once more after \`secrets retire\`. Example:
  $ elastic-coordinator registry-cert > /etc/docker/registry/elastic.pem`,
    )
    .action(({ secretsKeyFile: given }: Flags) => {
      const flags = given === undefined ? {} : { secretsKeyFile: given };
      const { secretsKeyFile: keyFile } = configOf(context, { roles: "http", ...flags });
      if (!existsSync(keyFile)) {
        // Made here it would be nobody's: a certificate that no coordinator signs for.
        context.fail(new ConfigError(`there is no ${keyFile}: name the coordinators' key file, --secrets-key-file`));
      }
      context.print(authorityBundle(registryAuthorities(openSecrets({ keyFile }))).trimEnd());
    });
}
