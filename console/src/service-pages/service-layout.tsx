/** The name and state of a service, and its pages. */
import { Button, Group, Stack, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useParams } from "@tanstack/react-router";
import { QueryState } from "../layout/query-state.tsx";
import { serviceQuery } from "../services/services-query.ts";
import { canBuildFrom } from "../sources/can-build-from.ts";
import { hostsQuery } from "../sources/sources-query.ts";
import { ServiceState } from "./service-state.tsx";

const PAGES = [
  { to: "/services/$serviceId", label: "Overview" },
  { to: "/services/$serviceId/deployments", label: "Deployments" },
  { to: "/services/$serviceId/builds", label: "Builds" },
  { to: "/services/$serviceId/source", label: "Source" },
  { to: "/services/$serviceId/logs", label: "Logs" },
  { to: "/services/$serviceId/metrics", label: "Metrics" },
  { to: "/services/$serviceId/settings", label: "Settings" },
] as const;

export function ServiceLayout() {
  const { serviceId } = useParams({ from: "/inside/services/$serviceId" });
  const service = useQuery(serviceQuery(serviceId));
  const { data: hosts } = useQuery(hostsQuery);
  const hasSources = hosts !== undefined && canBuildFrom(hosts);
  const pages = PAGES.filter(({ label }) => label !== "Source" || hasSources);
  return (
    <QueryState query={service}>
      {(one) => (
        <Stack>
          <Group>
            <Title order={1} size="h2" style={{ overflowWrap: "anywhere" }}>
              {one.service_name}
            </Title>
            <ServiceState state={one.state} />
          </Group>
          <Group component="nav" gap="xs" aria-label="Pages of the service">
            {pages.map(({ to, label }) => (
              <Button
                key={to}
                size="compact-md"
                variant="subtle"
                renderRoot={(props) => (
                  <Link
                    to={to}
                    params={{ serviceId }}
                    activeOptions={{ exact: true }}
                    activeProps={{
                      "aria-current": "page",
                      style: { background: "var(--mantine-primary-color-light)" },
                    }}
                    {...props}
                  />
                )}
              >
                {label}
              </Button>
            ))}
          </Group>
          <Outlet />
        </Stack>
      )}
    </QueryState>
  );
}
