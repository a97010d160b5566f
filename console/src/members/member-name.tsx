/** Who a user of the active team is; the id of one who has left it. */
import { useQuery } from "@tanstack/react-query";
import { activeTeam } from "../active-team/active-team.ts";
import { visibleLine } from "../text/visible-text.ts";
import { membersQuery } from "./members-query.ts";

export function MemberName({ userId }: { readonly userId: string }) {
  const { data: members = [] } = useQuery(membersQuery(activeTeam() ?? ""));
  return visibleLine(members.find(({ user_id }) => user_id === userId)?.name ?? userId);
}
