/** The team: who is in it, who is invited, from where it builds, which web pages may use its keys, what it may have, and who changed what. */
import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PageTitle } from "../layout/page-title.tsx";
import { isAtLeast } from "../session/role.ts";
import { type Team, useTeam } from "../session/use-team.ts";
import { Connections } from "../sources/connections.tsx";
import { hostsQuery } from "../sources/sources-query.ts";
import { AuditLog } from "./audit-log.tsx";
import { Invitations } from "./invitations.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { Members } from "./members.tsx";
import { Origins } from "./origins.tsx";
import { Quotas } from "./quotas.tsx";
import { RenameTeamDialog } from "./rename-team-dialog.tsx";

export function TeamPage() {
  const team = useTeam();
  return (
    <Stack gap="xl">
      <PageTitle title="Team">
        {team !== null && isAtLeast(team.role, "admin") && <TeamActions team={team} />}
      </PageTitle>
      {team === null ? (
        <Text>You are no longer in this team. Choose another one above.</Text>
      ) : (
        <Sections team={team} />
      )}
    </Stack>
  );
}

function TeamActions({ team }: { readonly team: Team }) {
  const [isInviting, inviting] = useDisclosure(false);
  const [isRenaming, renaming] = useDisclosure(false);
  return (
    <>
      <Button variant="default" onClick={renaming.open}>
        Rename
      </Button>
      <Button onClick={inviting.open}>Invite</Button>
      <InviteDialog team={team} opened={isInviting} onClose={inviting.close} />
      <RenameTeamDialog team={team} opened={isRenaming} onClose={renaming.close} />
    </>
  );
}

function Sections({ team }: { readonly team: Team }) {
  const isAdmin = isAtLeast(team.role, "admin");
  const { data: hosts } = useQuery(hostsQuery);
  const search = useSearch({ from: "/inside/settings/team" });
  return (
    <>
      <Group gap="xs">
        <Text fw={600} style={{ overflowWrap: "anywhere" }}>
          {team.name}
        </Text>
        <Text c="dimmed">Your role is {team.role}.</Text>
      </Group>
      <Section title="Members">
        <Members team={team} />
      </Section>
      {isAdmin && (
        <Section title="Invitations">
          <Invitations team={team} />
        </Section>
      )}
      {hosts !== undefined && hosts.items.length > 0 && (
        <Section title="Connections">
          <Connections search={search} />
        </Section>
      )}
      <Section title="Allowed origins">
        <Origins team={team} />
      </Section>
      <Section title="Quotas">
        <Quotas team={team} />
      </Section>
      <Section title="Audit Log">
        {isAdmin ? <AuditLog team={team} /> : <Text c="dimmed">Owners and admins see who changed what.</Text>}
      </Section>
    </>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Stack component="section" aria-label={title}>
      <Title order={2} size="h3">
        {title}
      </Title>
      {children}
    </Stack>
  );
}
