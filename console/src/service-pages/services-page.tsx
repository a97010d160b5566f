/** The team's services, and the way to a first one. */

import { Anchor, Button, Card, Stack, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { forgetPending } from "../first-try/pending-try.ts";
import { TryItFirstDialog } from "../first-try/try-it-first-dialog.tsx";
import { useResumedTry } from "../first-try/use-resumed-try.ts";
import { ColumnNames } from "../layout/column-names.tsx";
import { CutNotice } from "../layout/cut-notice.tsx";
import { PageTitle } from "../layout/page-title.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { Time } from "../layout/time.tsx";
import { teamMetricsQuery } from "../metrics/metrics-query.ts";
import { METRICS_COLUMNS, ServiceCells } from "../metrics/service-cells.tsx";
import { type Service, servicesQuery } from "../services/services-query.ts";
import { ForRole } from "../session/for-role.tsx";
import { canBuildFrom } from "../sources/can-build-from.ts";
import { LinkNotice } from "../sources/link-notice.tsx";
import { hostsQuery } from "../sources/sources-query.ts";
import { ServiceState } from "./service-state.tsx";

export function ServicesPage() {
  const services = useQuery(servicesQuery);
  const search = useSearch({ from: "/inside/services" });
  const [isTrying, { open, close }] = useDisclosure(false);
  const resumed = useResumedTry(search, open);
  const [isResumedOver, setResumedOver] = useState(false);
  const endTry = () => {
    setResumedOver(true);
    forgetPending(sessionStorage);
    close();
  };
  return (
    <Stack>
      <PageTitle title="Services">
        <ForRole lowest="member">
          <Button variant="default" renderRoot={(props) => <Link to="/services/new" {...props} />}>
            New Service
          </Button>
          <Button onClick={open}>Try It First</Button>
        </ForRole>
      </PageTitle>
      {resumed === null && <LinkNotice search={search} />}
      {services.data !== undefined && <CutNotice of={services.data} />}
      <QueryState query={services}>
        {({ items }) => (items.length === 0 ? <NoServices /> : <ServiceTable services={items} />)}
      </QueryState>
      <TryItFirstDialog opened={isTrying} onClose={endTry} resumed={isResumedOver ? null : resumed} />
    </Stack>
  );
}

function NoServices() {
  const { data: hosts } = useQuery(hostsQuery);
  const time = hosts !== undefined && canBuildFrom(hosts) ? "minutes" : "seconds";
  return (
    <Card withBorder>
      <Text fw={600}>No services yet</Text>
      <Text c="dimmed">
        A service runs your prover. Try It First deploys a demo prover, a Poseidon hash, in {time}.
      </Text>
    </Card>
  );
}

function ServiceTable({ services }: { readonly services: readonly Service[] }) {
  const { data: metrics } = useQuery(teamMetricsQuery);
  return (
    <Table.ScrollContainer minWidth={900}>
      <Table>
        <ColumnNames names={["Name", "State", ...METRICS_COLUMNS, "Image", "Created"]} />
        <Table.Tbody>
          {services.map((service) => (
            <Table.Tr key={service.service_id}>
              <Table.Td>
                <Anchor
                  renderRoot={(props) => (
                    <Link to="/services/$serviceId" params={{ serviceId: service.service_id }} {...props} />
                  )}
                >
                  {service.service_name}
                </Anchor>
              </Table.Td>
              <Table.Td>
                <ServiceState state={service.state} />
              </Table.Td>
              <ServiceCells of={metrics?.get(service.service_id)} />
              <Table.Td>{service.image_tag ?? service.image ?? "none"}</Table.Td>
              <Table.Td>
                <Time of={service.created} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
