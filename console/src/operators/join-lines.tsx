/** The lines with which a machine joins by a new token: the one that installs the agent too, where there is a release to install. */
import { Code, Text } from "@mantine/core";
import type { components } from "elastic-client/gen/schema.ts";
import { CopyField } from "../layout/copy-field.tsx";
import { SecretOnce } from "../layout/secret-once.tsx";
import { Time } from "../layout/time.tsx";
import { timeBetween } from "../text/duration-text.ts";

interface JoinLinesProps {
  readonly of: components["schemas"]["NewJoinToken"];
  readonly onDone: () => void;
}

export function JoinLines({ of: token, onDone }: JoinLinesProps) {
  const { command, install_command: installCommand } = token;
  if (installCommand === null) {
    return (
      <SecretOnce secret={command} label="join line" onDone={onDone}>
        Paste it on the machine, where the agent must be installed already: this installation has no release to install
        (<Code>ELASTIC_RELEASES_DIR</Code>). <Validity of={token} />
      </SecretOnce>
    );
  }
  return (
    <SecretOnce
      secret={installCommand}
      label="install line"
      onDone={onDone}
      also={
        <>
          <Text size="sm">Where the agent is installed already, paste this line instead. It has the same token.</Text>
          <CopyField text={command} label="join line" />
        </>
      }
    >
      Paste it on the machine, as root or as a user with sudo. It downloads the agent from this service, verifies its
      signature, installs it, has the machine join the fleet, and starts the agent. <Validity of={token} />
    </SecretOnce>
  );
}

function Validity({ of: { created, expires } }: Pick<JoinLinesProps, "of">) {
  return (
    <>
      It works once, for {timeBetween(created, expires)}: until <Time of={expires} />.
    </>
  );
}
