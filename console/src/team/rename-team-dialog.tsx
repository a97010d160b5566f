/** Gives the team another name. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { meQuery } from "../session/use-me.ts";
import type { Team } from "../session/use-team.ts";
import { NameDialog } from "./name-dialog.tsx";

const NAME_LENGTH_MAX = 100;

interface RenameTeamDialogProps {
  readonly team: Team;
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function RenameTeamDialog({ team, opened, onClose }: RenameTeamDialogProps) {
  const queries = useQueryClient();
  const rename = useMutation({
    mutationFn: (name: string) => {
      const params = { path: { id: team.team_id } };
      return dataOf(api.PATCH("/v1/teams/{id}", { params, body: { name } }));
    },
    onSuccess: () => queries.invalidateQueries(meQuery),
  });
  return (
    <NameDialog
      key={team.name}
      title="Rename the team"
      label="Name"
      submit="Rename"
      initial={team.name}
      lengthMax={NAME_LENGTH_MAX}
      mutation={rename}
      opened={opened}
      onClose={onClose}
    />
  );
}
