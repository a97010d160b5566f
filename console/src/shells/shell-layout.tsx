/** The name and state of a shell, what can be done with it, and its pages. */
import { Anchor, Group, Stack, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useParams } from "@tanstack/react-router";
import { QueryState } from "../layout/query-state.tsx";
import { ForRole } from "../session/for-role.tsx";
import { ShellActions } from "./shell-actions.tsx";
import { ShellReason, ShellState } from "./shell-state.tsx";
import { shellQuery } from "./shells-query.ts";

export function ShellLayout() {
  const { shellId } = useParams({ from: "/inside/shells/$shellId" });
  const shell = useQuery(shellQuery(shellId));
  return (
    <QueryState query={shell}>
      {(one) => (
        <Stack>
          <Group justify="space-between">
            <Group>
              <Title order={1} size="h2" style={{ overflowWrap: "anywhere" }}>
                <Anchor
                  inherit
                  underline="hover"
                  c="inherit"
                  renderRoot={(props) => <Link to="/shells/$shellId" params={{ shellId }} {...props} />}
                >
                  {one.shell_name}
                </Anchor>
              </Title>
              <ShellState of={one} />
            </Group>
            <ForRole lowest="member">
              <ShellActions of={one} />
            </ForRole>
          </Group>
          <ShellReason of={one} />
          <Outlet />
        </Stack>
      )}
    </QueryState>
  );
}
