/** In place of a page that failed. */
import { Alert, Button, Center, Stack } from "@mantine/core";
import { messageOf } from "../api/problem.ts";

export function ErrorPage({ error, reset }: { readonly error: unknown; readonly reset: () => void }) {
  return (
    <Center mih="60vh" p="md">
      <Alert color="red" title="This page could not be shown" role="alert" maw={560}>
        <Stack align="start">
          {messageOf(error)}
          <Button onClick={reset}>Try again</Button>
        </Stack>
      </Alert>
    </Center>
  );
}
