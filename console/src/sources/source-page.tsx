/** What a service is built from: its repository, a build of it now, and a way to change it. */
import { Card, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { QueryState } from "../layout/query-state.tsx";
import { ForRole } from "../session/for-role.tsx";
import { BuildAndDeploy } from "./build-and-deploy.tsx";
import { canBuildFrom } from "./can-build-from.ts";
import { LinkNotice } from "./link-notice.tsx";
import { SourceFacts } from "./source-facts.tsx";
import { SourceForm } from "./source-form.tsx";
import { hostsQuery, sourceQuery } from "./sources-query.ts";

export function SourcePage() {
  const { serviceId } = useParams({ from: "/inside/services/$serviceId/source" });
  const search = useSearch({ from: "/inside/services/$serviceId/source" });
  const source = useQuery(sourceQuery(serviceId));
  const { data: hosts } = useQuery(hostsQuery);
  if (hosts !== undefined && !canBuildFrom(hosts)) {
    return (
      <Text c="dimmed">This installation builds nothing from repositories: it has no source host, or no registry.</Text>
    );
  }
  return (
    <Stack>
      <LinkNotice search={search} />
      <QueryState query={source}>
        {(one) => (
          <>
            <Section title="Repository">
              <SourceFacts of={one} />
            </Section>
            {one?.connected && (
              <ForRole lowest="member">
                <Section title="Build Now">
                  <BuildAndDeploy serviceId={serviceId} hasRef />
                </Section>
              </ForRole>
            )}
            <ForRole lowest="member">
              <Section title={one === null ? "Set a Repository" : "Change the Repository"}>
                <SourceForm
                  key={one?.set ?? "none"}
                  serviceId={serviceId}
                  source={one}
                  connectionId={search.connection_id ?? null}
                />
              </Section>
            </ForRole>
          </>
        )}
      </QueryState>
    </Stack>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Card withBorder component="section" aria-label={title}>
      <Stack gap="sm">
        <Title order={2} size="h3">
          {title}
        </Title>
        {children}
      </Stack>
    </Card>
  );
}
