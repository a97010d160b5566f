/** What the provers of a service write, as they write it. */
import { Badge, Group, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { LogView } from "./log-view.tsx";
import { matchingLines } from "./matching-lines.ts";
import { useServiceLog } from "./use-service-log.ts";

const SEARCH_AFTER_MS = 300;
const STATES = { live: "Live", connecting: "Connecting", refused: "Refused, trying again" } as const;
const COLORS = { live: "green", connecting: "gray", refused: "red" } as const;

export function ServiceLogsPage() {
  const { serviceId } = useParams({ from: "/inside/services/$serviceId/logs" });
  const { search = "" } = useSearch({ from: "/inside/services/$serviceId/logs" });
  const navigate = useNavigate({ from: "/services/$serviceId/logs" });
  const [isFollowing, setFollowing] = useState(true);
  const { lines, state, skipped } = useServiceLog(serviceId);
  const [wanted] = useDebouncedValue(search, SEARCH_AFTER_MS);
  const shown = useMemo(() => matchingLines(lines, wanted), [lines, wanted]);
  return (
    <Stack>
      <Group align="end">
        <TextInput
          label="Search"
          value={search}
          onChange={({ currentTarget: { value } }) =>
            void navigate({ search: { search: value === "" ? undefined : value }, replace: true })
          }
        />
        <Switch
          label="Follow"
          checked={isFollowing}
          onChange={({ currentTarget }) => setFollowing(currentTarget.checked)}
          mb={8}
        />
        <Badge color={COLORS[state]} mb={8} role="status">
          {STATES[state]}
        </Badge>
      </Group>
      <Text size="sm" c="dimmed">
        {shown.length === 1 ? "1 line" : `${shown.length.toLocaleString()} lines`} of the newest tasks.
        {skipped > 0 &&
          ` The logs of ${skipped === 1 ? "1 task" : `${skipped.toLocaleString()} tasks`} are left out, since too many ran at a time.`}
      </Text>
      {shown.length === 0 ? (
        <Text c="dimmed">{lines.length === 0 ? "The provers have written nothing." : "No line has this text."}</Text>
      ) : (
        <LogView lines={shown} isFollowing={isFollowing} onFollow={setFollowing} />
      )}
    </Stack>
  );
}
