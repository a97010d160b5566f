/** Ways into a further team, which becomes the active one: creating it, or joining with the code of an invitation. */
import { Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { switchTeam } from "../active-team/active-team.ts";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import type { Team } from "../session/use-team.ts";
import { NameDialog } from "./name-dialog.tsx";

const NAME_LENGTH_MAX = 100;
const CODE_LENGTH_MAX = 200;

interface NewTeamDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function CreateTeamDialog(props: NewTeamDialogProps) {
  const creation = useNewTeam((name) => dataOf(api.POST("/v1/teams", { body: { name } })));
  return (
    <NameDialog
      title="Create a team"
      label="Name"
      submit="Create Team"
      lengthMax={NAME_LENGTH_MAX}
      mutation={creation}
      {...props}
    >
      <Text>You become its owner, and invite others.</Text>
    </NameDialog>
  );
}

export function JoinTeamDialog(props: NewTeamDialogProps) {
  const joining = useNewTeam((code) => dataOf(api.POST("/v1/invitations/accept", { body: { code } })));
  return (
    <NameDialog
      title="Join a team"
      label="Invitation code"
      submit="Join"
      lengthMax={CODE_LENGTH_MAX}
      mutation={joining}
      {...props}
    >
      <Text>An owner or admin of the team gets the code when they invite you.</Text>
    </NameDialog>
  );
}

function useNewTeam(request: (text: string) => Promise<Team>) {
  return useMutation({
    mutationFn: request,
    onSuccess: ({ team_id: teamId }) => switchTeam(teamId, "/settings/team"),
  });
}
