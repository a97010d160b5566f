/** Where tasks are posted, and the command line that posts one, with a key that is made for it. */
import { Alert, Button, Card, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { components } from "elastic-client/gen/schema.ts";
import { api } from "../api/client.ts";
import { madeBy } from "../api/problem.ts";
import { keysQuery } from "../keys/keys-query.ts";
import { CopyField } from "../layout/copy-field.tsx";
import { MutationError } from "../layout/mutation-error.tsx";
import { ForRole } from "../session/for-role.tsx";
import { curlLine } from "./curl-line.ts";

type Service = components["schemas"]["Service"];

const KEY_SECONDS = 30 * 86_400;
const KEY_PLACE = "<ACCESS_KEY>";

interface EndpointCardProps {
  readonly service: Service;
  /** What the command line posts. */
  readonly input: string;
}

export function EndpointCard({
  service: { service_id, service_name, service_url: url, team_id },
  input,
}: EndpointCardProps) {
  const queries = useQueryClient();
  const creation = useMutation({
    mutationFn: () => {
      const name = `curl ${service_name}`.slice(0, 100);
      const body = { name, scopes: ["tasks:read", "tasks:write"] as const, team_id, expires_in_seconds: KEY_SECONDS };
      return madeBy(api.POST("/v1/keys", { body: { ...body, scopes: [...body.scopes] } }), "key");
    },
    onSuccess: () => queries.invalidateQueries(keysQuery),
    gcTime: 0,
  });
  const key = creation.data?.key ?? null;
  return (
    <Card withBorder component="section" aria-label="Endpoint">
      <Stack gap="xs">
        <Text fw={600}>Endpoint</Text>
        <CopyField text={url} label="endpoint" />
        <Text size="sm">Post a task from a terminal:</Text>
        <CopyField
          key={`${service_id} ${key}`}
          text={curlLine({ url, key: key ?? KEY_PLACE, input })}
          label="curl line"
        />
        {key === null ? (
          <ForRole lowest="member">
            <Group>
              <Button variant="default" loading={creation.isPending} onClick={() => creation.mutate()}>
                Create Key
              </Button>
              <Text size="sm" c="dimmed">
                Creates an access key of 30 days that reads and writes tasks, and puts it into the line.
              </Text>
            </Group>
          </ForRole>
        ) : (
          <Alert color="yellow">The key is in the line above. It is shown here once and cannot be shown again.</Alert>
        )}
        <MutationError of={creation} />
      </Stack>
    </Card>
  );
}
