/** Web pages of which origins may use the API with the team's keys. */
import { Button, Group, List, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ConfirmButton } from "../layout/confirm-button.tsx";
import { isAtLeast } from "../session/role.ts";
import { meQuery } from "../session/use-me.ts";
import type { Team } from "../session/use-team.ts";
import { changeOrigins } from "./origin-changes.ts";
import { refusalOfOrigins } from "./refusal-of-origins.ts";

export function Origins({ team }: { readonly team: Team }) {
  const isAdmin = isAtLeast(team.role, "admin");
  return (
    <>
      <Text size="sm" c="dimmed">
        Web pages of these origins may use the API from a browser, with an access key of the team and without cookies.
      </Text>
      {team.origins.length === 0 ? (
        <Text c="dimmed">No web page of another origin may.</Text>
      ) : (
        <List listStyleType="none" spacing="xs">
          {team.origins.map((origin) => (
            <List.Item key={origin}>
              <Group gap="sm">
                <Text style={{ overflowWrap: "anywhere" }}>{origin}</Text>
                {isAdmin && <Remove origin={origin} team={team} />}
              </Group>
            </List.Item>
          ))}
        </List>
      )}
      {isAdmin && <Add team={team} />}
    </>
  );
}

function Add({ team: { team_id: teamId } }: { readonly team: Team }) {
  const [origin, setOrigin] = useState("");
  const queries = useQueryClient();
  const adding = useMutation({
    mutationFn: (added: string) => changeOrigins(queries, teamId, (origins) => [...origins, added]),
    onSuccess: () => setOrigin(""),
    onSettled: () => queries.invalidateQueries(meQuery),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    adding.mutate(origin.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack align="start">
        <TextInput
          label="Another origin"
          description="As browsers send it, such as https://app.example, without a path."
          required
          maxLength={300}
          w="100%"
          maw={420}
          value={origin}
          error={refusalOfOrigins(adding.error)}
          onChange={(event) => {
            adding.reset();
            setOrigin(event.currentTarget.value);
          }}
        />
        <Button type="submit" variant="default" loading={adding.isPending}>
          Add origin
        </Button>
      </Stack>
    </form>
  );
}

function Remove({ origin, team: { team_id: teamId } }: { readonly origin: string; readonly team: Team }) {
  const queries = useQueryClient();
  const removal = useMutation({
    mutationFn: () => changeOrigins(queries, teamId, (origins) => origins.filter((one) => one !== origin)),
    onSettled: () => queries.invalidateQueries(meQuery),
  });
  return (
    <ConfirmButton
      label="Remove"
      action={`Remove the origin ${origin}`}
      color="red"
      variant="light"
      size="compact-sm"
      mutation={removal}
    >
      <Text>Its web pages can no longer use the API with the team's keys, within ten minutes at the latest.</Text>
    </ConfirmButton>
  );
}
