/** Which program wants to log in, and the user's decision. */
import { Alert, Button, Card, Group, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { components } from "elastic-client/gen/schema.ts";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { Facts } from "../layout/facts.tsx";
import { MutationError } from "../layout/mutation-error.tsx";
import { Time } from "../layout/time.tsx";

interface DeviceLoginProps {
  readonly login: components["schemas"]["DeviceLogin"];
  /** Another code can be typed. */
  readonly onDone: () => void;
}

export function DeviceLogin({ login, onDone }: DeviceLoginProps) {
  const decision = useMutation({
    mutationFn: (approve: boolean) =>
      dataOf(
        api.POST("/v1/device/{user_code}", { params: { path: { user_code: login.user_code } }, body: { approve } }),
      ),
  });
  if (decision.isSuccess) return <Decided login={login} isApproved={decision.variables} onDone={onDone} />;
  return (
    <Card withBorder>
      <Stack>
        <Facts
          of={{
            Code: login.user_code,
            Host: login.host_name,
            Address: login.address,
            Started: <Time of={login.created} />,
            Scopes: login.scopes.join(", "),
          }}
        />
        <MutationError of={decision} />
        <Group justify="end">
          <Button variant="default" loading={decision.isPending} onClick={() => decision.mutate(false)}>
            Decline
          </Button>
          <Button loading={decision.isPending} onClick={() => decision.mutate(true)}>
            Log in
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}

function Decided({ login, isApproved, onDone }: DeviceLoginProps & { readonly isApproved: boolean }) {
  return (
    <Alert
      color={isApproved ? "green" : "gray"}
      role="status"
      title={isApproved ? `The program on ${login.host_name} is logged in` : "The login was declined"}
    >
      <Stack align="start">
        {isApproved
          ? `Its access key is named login on ${login.host_name}: revoke it under Access Keys when it is no longer needed.`
          : "The program gets no access key."}
        <Button size="compact-sm" variant="default" onClick={onDone}>
          Type another code
        </Button>
      </Stack>
    </Alert>
  );
}
