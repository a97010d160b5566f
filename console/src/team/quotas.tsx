/** How much there may be of each thing, and how much there is. */
import { Box, Progress, SimpleGrid, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { QueryState } from "../layout/query-state.tsx";
import type { Team } from "../session/use-team.ts";
import { quotasQuery } from "./team-queries.ts";

/** From here on it is about to be full. */
const NEARLY_FULL = 0.9;

export function Quotas({ team }: { readonly team: Team }) {
  const quotas = useQuery(quotasQuery(team.team_id));
  return (
    <QueryState query={quotas}>
      {({ items }) => (
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
          {items.map(({ name, scope, used, max }) => (
            <Box key={name}>
              <Text size="sm">{labelOf(name, scope)}</Text>
              <Text size="sm" c="dimmed">
                {used.toLocaleString()} of {max.toLocaleString()}
              </Text>
              <Progress
                aria-label={`${labelOf(name, scope)}: share that is used`}
                value={(100 * used) / max}
                color={used / max >= NEARLY_FULL ? "red" : "blue"}
              />
            </Box>
          ))}
        </SimpleGrid>
      )}
    </QueryState>
  );
}

function labelOf(name: string, scope: "team" | "user"): string {
  const words = name.replaceAll("_", " ");
  return scope === "user" ? `Your ${words}` : words.charAt(0).toUpperCase() + words.slice(1);
}
