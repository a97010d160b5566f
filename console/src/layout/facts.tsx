/** Names and values of one thing, as a description list. Facts that are null are left out. */
import { Box, SimpleGrid, Text } from "@mantine/core";
import type { ReactNode } from "react";

export function Facts({ of }: { readonly of: Readonly<Record<string, ReactNode>> }) {
  const known = Object.entries(of).filter(([, value]) => value !== null);
  return (
    <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3 }} spacing="sm" m={0}>
      {known.map(([name, value]) => (
        <Box key={name} miw={0}>
          <Text component="dt" size="sm" c="dimmed">
            {name}
          </Text>
          <Text component="dd" m={0} style={{ overflowWrap: "anywhere" }}>
            {value}
          </Text>
        </Box>
      ))}
    </SimpleGrid>
  );
}
