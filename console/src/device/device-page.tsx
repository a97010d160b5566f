/** The user types the code that a program shows, sees which program it is, and logs it in or not. */
import { Alert, Button, Card, Code, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { MutationError } from "../layout/mutation-error.tsx";
import { PageTitle } from "../layout/page-title.tsx";
import { DeviceLogin } from "./device-login.tsx";

export function DevicePage() {
  const [code, setCode] = useState("");
  const lookup = useMutation({
    mutationFn: () => dataOf(api.GET("/v1/device/{user_code}", { params: { path: { user_code: code.trim() } } })),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    lookup.mutate();
  };
  const begin = () => {
    setCode("");
    lookup.reset();
  };
  return (
    <Stack maw={560}>
      <PageTitle title="Log in a program" />
      {lookup.data === undefined ? (
        <Card withBorder>
          <form onSubmit={submit}>
            <Stack>
              <Text>
                Type the code that <Code>elastic login --web</Code> shows.
              </Text>
              <TextInput
                label="Code"
                required
                autoComplete="off"
                spellCheck={false}
                placeholder="XXXX-XXXX"
                maxLength={20}
                value={code}
                onChange={(event) => setCode(event.currentTarget.value)}
              />
              <MutationError of={lookup} />
              <Group justify="end">
                <Button type="submit" loading={lookup.isPending}>
                  Continue
                </Button>
              </Group>
            </Stack>
          </form>
        </Card>
      ) : (
        <DeviceLogin login={lookup.data} onDone={begin} />
      )}
      <Alert color="yellow" role="note" title="Type only a code that you have just been shown yourself">
        Whoever asks you to type another code gets an access key of yours.
      </Alert>
    </Stack>
  );
}
