/** Removes a member of the team, or leaves it. */
import { Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { switchTeam } from "../active-team/active-team.ts";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { ConfirmButton } from "../layout/confirm-button.tsx";
import { type Member, membersQuery } from "../members/members-query.ts";
import type { Team } from "../session/use-team.ts";

interface EndMembershipProps {
  readonly team: Team;
  readonly member: Member;
  /** Whether the member is the user. */
  readonly isOwn: boolean;
}

export function EndMembership({ team, member, isOwn }: EndMembershipProps) {
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: () => {
      const path = { id: team.team_id, userId: member.user_id };
      return dataOf(api.DELETE("/v1/teams/{id}/members/{userId}", { params: { path } }));
    },
    onSuccess: async () => {
      if (!isOwn) return await queries.invalidateQueries(membersQuery(team.team_id));
      switchTeam(null, "/services");
    },
  });
  return (
    <ConfirmButton
      label={isOwn ? "Leave" : "Remove"}
      action={isOwn ? `Leave the team ${team.name}` : `Remove ${member.name} from the team`}
      color="red"
      variant="light"
      size="compact-sm"
      mutation={end}
    >
      <Text>
        {isOwn
          ? "Your access keys no longer open this team. Somebody has to invite you again."
          : "The member's access keys no longer open this team, and the invitations that the member created end."}
      </Text>
    </ConfirmButton>
  );
}
