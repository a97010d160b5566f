/** What surrounds every page: the pages' names, the team, and the way out. */
import { AppShell, Burger, Button, Group, NavLink, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { useEffect } from "react";
import { activeTeam } from "../active-team/active-team.ts";
import { MutationError } from "../layout/mutation-error.tsx";
import { ConnectionLost } from "../live/connection-lost.tsx";
import { useLiveUpdates } from "../live/use-live-updates.ts";
import { SearchButton } from "../search/search-button.tsx";
import { logOut } from "../session/log-in.ts";
import { onOtherUser } from "../session/stored-user.ts";
import { meQuery } from "../session/use-me.ts";
import { ViewerNotice } from "../session/viewer-notice.tsx";
import { TeamSelect } from "../team/team-select.tsx";
import { ColorSchemeToggle } from "./color-scheme-toggle.tsx";

const PAGES = [
  { to: "/services", label: "Services" },
  { to: "/settings/task-history", label: "Task History" },
  { to: "/shells", label: "Shells" },
  { to: "/volumes", label: "Volumes" },
  { to: "/keys", label: "Access Keys" },
  { to: "/settings/team", label: "Team" },
  { to: "/settings/usage", label: "Usage" },
  { to: "/settings/sessions", label: "Sessions" },
] as const;

/** For those who run the service. */
const OPERATOR_PAGES = [
  { to: "/operators/machines", label: "Machines" },
  { to: "/operators/fleet", label: "Fleet" },
  { to: "/operators/pools", label: "Pools" },
  { to: "/operators/users", label: "Users and teams" },
] as const;

export function Layout() {
  const [opened, { toggle, close }] = useDisclosure(false);
  const { pathname } = useLocation();
  const { data: me } = useSuspenseQuery(meQuery);
  const lostSince = useLiveUpdates(activeTeam());
  const ending = useMutation({ mutationFn: logOut });
  useEffect(() => onOtherUser(me.user_id, () => window.location.reload()), [me.user_id]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: "sm", collapsed: { mobile: !opened } }}
      padding="md"
    >
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group wrap="nowrap" gap="sm">
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Pages" />
            <Text fw={700} visibleFrom="xs">
              Elastic
            </Text>
          </Group>
          <Group wrap="nowrap" gap="xs">
            <SearchButton />
            <TeamSelect />
            <ColorSchemeToggle />
            <Button variant="subtle" size="compact-sm" loading={ending.isPending} onClick={() => ending.mutate()}>
              Log out
            </Button>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages">
        {[...PAGES, ...(me.operator ? OPERATOR_PAGES : [])].map(({ to, label }) => (
          <NavLink
            key={to}
            label={label}
            active={pathname.startsWith(to)}
            aria-current={pathname.startsWith(to) ? "page" : undefined}
            onClick={close}
            renderRoot={(props) => <Link to={to} {...props} />}
          />
        ))}
      </AppShell.Navbar>
      <AppShell.Main>
        <ConnectionLost since={lostSince} />
        <MutationError of={ending} />
        <ViewerNotice />
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}
