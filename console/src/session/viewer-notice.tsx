/** For who may only read: why so much cannot be done. */
import { Alert } from "@mantine/core";
import { useTeam } from "./use-team.ts";

export function ViewerNotice() {
  const team = useTeam();
  if (team?.role !== "viewer") return null;
  return (
    <Alert color="gray" mb="md">
      Your role in {team.name} is viewer: you see everything and change nothing. An owner or admin can change your role.
    </Alert>
  );
}
