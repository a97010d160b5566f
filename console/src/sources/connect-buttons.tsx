/** A button for each source host, at which an account is connected. */
import { Button, Group, Stack } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { MutationError } from "../layout/mutation-error.tsx";
import { leaveForHost } from "./leave-for-host.ts";
import { hostsQuery } from "./sources-query.ts";

/** `returnTo` is the page that shows what became of it. */
export function ConnectButtons({ returnTo }: { readonly returnTo: string }) {
  const { data } = useQuery(hostsQuery);
  const leave = useMutation({ mutationFn: (host: string) => leaveForHost({ host, returnTo }) });
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {data?.items.map(({ name, title }) => (
          <Button key={name} variant="default" loading={leave.isPending} onClick={() => leave.mutate(name)}>
            Connect {title}
          </Button>
        ))}
      </Group>
      <MutationError of={leave} />
    </Stack>
  );
}
