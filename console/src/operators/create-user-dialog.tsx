/** Creates a user in a team, and shows the link with which the user logs in. */
import { Button, Group, Select, Stack, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { MutationError } from "../layout/mutation-error.tsx";
import { SecretDialog } from "../layout/secret-dialog.tsx";
import { LoginLink } from "./login-link.tsx";
import { readNameFilter } from "./name-filter.ts";
import { type OperatedUser, teamsQuery } from "./operators-query.ts";

type Role = OperatedUser["teams"][number]["role"];

const ROLES = ["owner", "admin", "member", "viewer"] as const satisfies readonly Role[];

export function CreateUserDialog({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [search, setSearch] = useState("");
  const [teamId, setTeamId] = useState<string | null>(null);
  const [role, setRole] = useState<Role>("member");
  const teams = useQuery(teamsQuery(readNameFilter({ name: search })));
  const creation = useMutation({
    mutationFn: (team_id: string) => dataOf(api.POST("/v1/operators/users", { body: { name, team_id, role } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["operators"] }),
    gcTime: 0,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (teamId !== null) creation.mutate(teamId);
  };
  return (
    <SecretDialog
      title="Create a user"
      opened
      onClose={onClose}
      creation={creation}
      form={
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label="Name"
              required
              maxLength={100}
              data-autofocus
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Select
              label="Team"
              required
              searchable
              searchValue={search}
              onSearchChange={setSearch}
              filter={({ options }) => options}
              data={(teams.data?.items ?? []).map(({ team_id: value, name: label }) => ({ value, label }))}
              value={teamId}
              onChange={setTeamId}
            />
            <Select
              label="Role"
              allowDeselect={false}
              data={[...ROLES]}
              value={role}
              onChange={(value) => setRole(value as Role)}
            />
            <MutationError of={creation} />
            <Group justify="end">
              <Button type="submit" loading={creation.isPending} disabled={teamId === null}>
                Create
              </Button>
            </Group>
          </Stack>
        </form>
      }
    >
      {(created, onDone) => <LoginLink of={created} onDone={onDone} />}
    </SecretDialog>
  );
}
