/** For a service that runs nothing and is not being built: the ways to its first deployment. */
import { Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ForRole } from "../session/for-role.tsx";
import { BuildAndDeploy } from "../sources/build-and-deploy.tsx";
import { canBuildFrom } from "../sources/can-build-from.ts";
import { RepositoryLink } from "../sources/repository-link.tsx";
import { hostsQuery, sourceQuery } from "../sources/sources-query.ts";

export function FirstSteps({ serviceId }: { readonly serviceId: string }) {
  const { data: source } = useQuery(sourceQuery(serviceId));
  const { data: hosts } = useQuery(hostsQuery);
  if (source === undefined || hosts === undefined) return null;
  return (
    <Card withBorder component="section" aria-label="First steps">
      <Stack gap="sm">
        <Title order={2} size="h3">
          Nothing runs here yet
        </Title>
        {source === null ? (
          <Text>
            {canBuildFrom(hosts)
              ? "Set the repository from which it is built, or deploy an image."
              : "Deploy an image to it."}
          </Text>
        ) : (
          <Text>
            It is built from <RepositoryLink of={source} />, and was not built yet.
          </Text>
        )}
        <ForRole lowest="member">
          {source !== null && <BuildAndDeploy serviceId={serviceId} />}
          <Group>
            {canBuildFrom(hosts) && (
              <Button
                variant="default"
                renderRoot={(props) => <Link to="/services/$serviceId/source" params={{ serviceId }} {...props} />}
              >
                {source === null ? "Set a Repository" : "Change the Repository"}
              </Button>
            )}
            <Button
              variant="default"
              renderRoot={(props) => <Link to="/services/$serviceId/deploy" params={{ serviceId }} {...props} />}
            >
              Deploy an Image
            </Button>
          </Group>
        </ForRole>
      </Stack>
    </Card>
  );
}
