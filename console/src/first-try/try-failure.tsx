/** Why a first try failed, with a way on where there is one beyond another name or no repository. */
import { Alert, Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ApiError, messageOf } from "../api/problem.ts";
import { servicesQuery } from "../services/services-query.ts";
import { repositoriesQuery, type SourceRepository } from "../sources/sources-query.ts";
import { visibleLine } from "../text/visible-text.ts";
import { repositoryNamed } from "./repository-named.ts";
import { wayOn } from "./ways-on.ts";

interface TryFailureProps {
  readonly error: Error;
  readonly name: string;
  /** With which it was tried. */
  readonly connectionId: string;
  /** To the source host: to authorize the connection again, or to connect an account where it is null. */
  readonly onLeave: (connectionId: string | null) => void;
  readonly onUse: (repository: SourceRepository) => void;
}

export function TryFailure({ error, name, connectionId, onLeave, onUse }: TryFailureProps) {
  const way = error instanceof ApiError ? wayOn(error.code) : null;
  return (
    <Alert color="red" role="alert">
      <Stack gap="xs" align="start">
        <Text size="sm">{messageOf(error)}</Text>
        {way === "authorize" && (
          <Button size="compact-sm" onClick={() => onLeave(connectionId)}>
            Authorize Again
          </Button>
        )}
        {way === "connect" && (
          <Button size="compact-sm" onClick={() => onLeave(null)}>
            Connect Again
          </Button>
        )}
        {way === "use the repository" && <UseRepository name={name} connectionId={connectionId} onUse={onUse} />}
        {way === "open the service" && <OpenService name={name} />}
      </Stack>
    </Alert>
  );
}

/** The repository of that name, perhaps of a first try that was broken off, where the connection has it. */
function UseRepository({ name, connectionId, onUse }: Pick<TryFailureProps, "name" | "connectionId" | "onUse">) {
  const { data } = useQuery({ ...repositoriesQuery(connectionId), staleTime: 0 });
  const found = repositoryNamed(name, data?.items ?? []);
  if (found === null) return null;
  return (
    <Button
      size="compact-sm"
      h="auto"
      mih={26}
      styles={{ label: { whiteSpace: "normal" } }}
      onClick={() => onUse(found)}
    >
      Build from {visibleLine(found.name)} as It Is
    </Button>
  );
}

function OpenService({ name }: Pick<TryFailureProps, "name">) {
  const { data } = useQuery(servicesQuery);
  const wanted = name.toLowerCase();
  const found = data?.items.find((one) => one.service_name.toLowerCase() === wanted);
  if (found === undefined) return null;
  return (
    <Button
      size="compact-sm"
      renderRoot={(props) => <Link to="/services/$serviceId" params={{ serviceId: found.service_id }} {...props} />}
    >
      Open the Service
    </Button>
  );
}
