/** Chooses what an invited user becomes; then shows the code, once. */
import { Button, Group, Select, Stack } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { MutationError } from "../layout/mutation-error.tsx";
import { SecretDialog } from "../layout/secret-dialog.tsx";
import { SecretOnce } from "../layout/secret-once.tsx";
import { type Role, rolesBelow } from "../session/role.ts";
import type { Team } from "../session/use-team.ts";
import { invitationsQuery } from "./team-queries.ts";

const HOUR_SECONDS = 3_600;
const EXPIRIES = [
  { value: String(HOUR_SECONDS), label: "in an hour" },
  { value: String(24 * HOUR_SECONDS), label: "in a day" },
  { value: String(7 * 24 * HOUR_SECONDS), label: "in a week" },
];

interface InviteDialogProps {
  readonly team: Team;
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function InviteDialog({ team, opened, onClose }: InviteDialogProps) {
  const queries = useQueryClient();
  const [role, setRole] = useState<Role>("member");
  const [expiry, setExpiry] = useState(String(7 * 24 * HOUR_SECONDS));
  const creation = useMutation({
    mutationFn: () => {
      const params = { path: { id: team.team_id } };
      const body = { role, expires_in_seconds: Number(expiry) };
      return dataOf(api.POST("/v1/teams/{id}/invitations", { params, body }));
    },
    onSuccess: () => queries.invalidateQueries(invitationsQuery(team.team_id)),
    gcTime: 0,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creation.mutate();
  };
  return (
    <SecretDialog
      title="Invite a user into the team"
      opened={opened}
      onClose={onClose}
      creation={creation}
      form={
        <form onSubmit={submit}>
          <Stack>
            <Select
              label="Role"
              description="What the user becomes. Viewers only read."
              allowDeselect={false}
              data-autofocus
              value={role}
              data={[...rolesBelow(team.role)]}
              onChange={(value) => setRole((value as Role | null) ?? "member")}
            />
            <Select
              label="Expires"
              allowDeselect={false}
              value={expiry}
              data={EXPIRIES}
              onChange={(value) => setExpiry(value ?? expiry)}
            />
            <MutationError of={creation} />
            <Group justify="end">
              <Button type="submit" loading={creation.isPending}>
                Create Invitation
              </Button>
            </Group>
          </Stack>
        </form>
      }
    >
      {(created, onDone) => (
        <SecretOnce secret={created.code} label="invitation code" onDone={onDone}>
          The first user who joins a team with it becomes {created.role} of {team.name}.
        </SecretOnce>
      )}
    </SecretDialog>
  );
}
