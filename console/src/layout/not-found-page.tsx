/** For a path that names no page. */
import { Anchor, Center, Stack, Text, Title } from "@mantine/core";

export function NotFoundPage() {
  return (
    <Center mih="60vh" p="md">
      <Stack align="center">
        <Title order={1}>Page not found</Title>
        <Text>There is nothing at this address.</Text>
        <Anchor href="/services">To the services</Anchor>
      </Stack>
    </Center>
  );
}
