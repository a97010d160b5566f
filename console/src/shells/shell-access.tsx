/** The ways into a shell over SSH. Its password is read only when the user shows it. */
import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { CopyField } from "../layout/copy-field.tsx";
import { MutationError } from "../layout/mutation-error.tsx";
import { ForRole } from "../session/for-role.tsx";
import { readPassword, type Shell } from "./shells-query.ts";
import { knownHostsLine, sshLine } from "./ssh-line.ts";

export function ShellAccess({ of: shell }: { readonly of: Shell }) {
  const line = sshLine(shell);
  const hostKey = knownHostsLine(shell);
  return (
    <Stack>
      <Title order={2} size="h3">
        Log in
      </Title>
      {line === null ? (
        <Text c="dimmed">This installation has no SSH gateway: use the terminal in the browser.</Text>
      ) : (
        <>
          <CopyField label="ssh command" text={line} />
          <Text size="sm" c="dimmed">
            With the command `elastic` installed: `elastic shell connect {shell.shell_name}`, which knows the gateway's
            host key.
          </Text>
        </>
      )}
      {line !== null && (
        <ForRole lowest="member">
          <Password of={shell} />
        </ForRole>
      )}
      {hostKey !== null && (
        <>
          <Text size="sm">The gateway's host key, as a line for your known_hosts file:</Text>
          <CopyField label="host key" text={hostKey} />
          <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            Fingerprint {shell.host_key_fingerprint}
          </Text>
        </>
      )}
    </Stack>
  );
}

function Password({ of: { shell_id: id, password_login: isUsed } }: { readonly of: Shell }) {
  const reading = useMutation({ mutationFn: () => readPassword(id), gcTime: 0 });
  if (!isUsed) return <Text>Only the SSH keys of the team's members open this shell; it has no password.</Text>;
  const password = reading.data ?? null;
  return (
    <>
      <Group gap="xs">
        <Text>Password</Text>
        {password === null ? (
          <Button size="compact-sm" variant="default" loading={reading.isPending} onClick={() => reading.mutate()}>
            Show password
          </Button>
        ) : (
          <>
            <CopyField label="password" text={password} />
            <Button size="compact-sm" variant="default" onClick={() => reading.reset()}>
              Hide password
            </Button>
          </>
        )}
      </Group>
      <MutationError of={reading} />
    </>
  );
}
