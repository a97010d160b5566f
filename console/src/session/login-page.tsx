/** Logs in with the link that the page was opened by, or says how to get one. */
import { Alert, Button, Center, Code, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { messageOf } from "../api/problem.ts";
import { logInWithToken, tokenOfFragment } from "./log-in.ts";

export function LoginPage() {
  const navigate = useNavigate();
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
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder shadow="sm" p="xl" maw={480} w="100%">
        <Stack>
          <Title order={1} size="h2">
            Elastic Proving Service
          </Title>
          {isError && (
            <Alert color="red" title="Not logged in" role="alert">
              {messageOf(error)}
            </Alert>
          )}
          {isLoggingIn ? <Loader aria-label="Logging in" /> : <HowToLogIn />}
        </Stack>
      </Paper>
    </Center>
  );
}

function HowToLogIn() {
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
