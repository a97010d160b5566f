/** The team that the pages show, among those of the user, and the ways into a further one. */
import { Select } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useSuspenseQuery } from "@tanstack/react-query";
import { activeTeam, switchTeam } from "../active-team/active-team.ts";
import { listOf } from "../active-team/choose-team.ts";
import { meQuery } from "../session/use-me.ts";
import { CreateTeamDialog, JoinTeamDialog } from "./new-team-dialogs.tsx";

/** No team has these for an id. */
const CREATE = "create";
const JOIN = "join";
const FURTHER = [
  { value: CREATE, label: "Create a Team…" },
  { value: JOIN, label: "Join a Team…" },
];

export function TeamSelect() {
  const { data: me } = useSuspenseQuery(meQuery);
  const [isCreating, creating] = useDisclosure(false);
  const [isJoining, joining] = useDisclosure(false);
  const teams = me.teams.map(({ team_id: value, name: label }) => ({ value, label }));
  const choose = (value: string | null) => {
    if (value === CREATE) creating.open();
    else if (value === JOIN) joining.open();
    else if (value !== activeTeam()) switchTeam(value, listOf(window.location.pathname));
  };
  return (
    <>
      <Select
        aria-label="Team"
        w={{ base: 110, xs: 180 }}
        comboboxProps={{ width: 220, position: "bottom-end" }}
        allowDeselect={false}
        value={activeTeam()}
        data={[
          { group: "Your teams", items: teams },
          { group: "Another team", items: FURTHER },
        ]}
        onChange={choose}
      />
      <CreateTeamDialog opened={isCreating} onClose={creating.close} />
      <JoinTeamDialog opened={isJoining} onClose={joining.close} />
    </>
  );
}
