/** Logs in at a provider, or with the link that the page was opened by. */
import { Alert, Button, Center, Code, Divider, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { messageOf } from "../api/problem.ts";
import { QueryState } from "../layout/query-state.tsx";
import { logInWithToken, tokenOfFragment } from "./log-in.ts";
import { loginErrorText } from "./login-errors.ts";
import { ProviderButtons } from "./provider-buttons.tsx";
import { providersQuery } from "./providers-query.ts";

const route = getRouteApi("/login");

export function LoginPage() {
  const navigate = useNavigate();
  const search = route.useSearch();
  const providers = useQuery(providersQuery);
  const [token] = useState(() => tokenOfFragment(window.location.hash));
  const { mutate, error, isError } = useMutation({
    mutationFn: logInWithToken,
    onSuccess: () => navigate({ to: "/services", replace: true }),
  });
  useEffect(() => {
    // An empty fragment: the token was sent already.
    if (token === null || window.location.hash === "") return;
    // The token leaves the address before anybody can copy it.
    window.history.replaceState(null, "", "/login");
    mutate(token);
  }, [mutate, token]);
  const isLoggingIn = token !== null && !isError;
  const title = providers.data?.items.find(({ name }) => name === search.provider)?.title;
  const failure = isError ? messageOf(error) : search.error && loginErrorText(search.error, title);
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder shadow="sm" p="xl" maw={480} w="100%">
        <Stack>
          <Title order={1} size="h2">
            Elastic Proving Service
          </Title>
          {failure && (
            <Alert color="red" title="Not logged in" role="alert">
              {failure}
            </Alert>
          )}
          {isLoggingIn ? (
            <Loader aria-label="Logging in" />
          ) : (
            <>
              {search.invitation !== undefined && (
                <Text>
                  You are invited to a team. Log in to join it: an account that is new here becomes a new user.
                </Text>
              )}
              <QueryState query={providers}>
                {({ items }) => (
                  <>
                    <ProviderButtons providers={items} search={search} />
                    {items.length > 0 && <Divider label="or" />}
                  </>
                )}
              </QueryState>
              <LoginLinkHelp />
            </>
          )}
        </Stack>
      </Paper>
    </Center>
  );
}

function LoginLinkHelp() {
  return (
    <>
      <Text>Log in with a link from an operator of this service. It works once, within ten minutes:</Text>
      <Code block>elastic-coordinator login-link --user NAME</Code>
      <Button component="a" href="/services" variant="default">
        I am logged in already
      </Button>
    </>
  );
}
