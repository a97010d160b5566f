/** The demo prover from its template: a private repository in the user's account, a service that is built from it, a build. */
import { Alert, Button, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { activeTeam } from "../active-team/active-team.ts";
import { ApiError } from "../api/problem.ts";
import { MutationError } from "../layout/mutation-error.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { rememberInput } from "../playground/recent-inputs.ts";
import { rememberVerifier } from "../playground/remembered-verifier.ts";
import { DEMO_INPUT, DEMO_NAME, DEMO_VERIFIER_IMAGE, VERIFIER_TEXT } from "../services/demo-prover.ts";
import { meQuery } from "../session/use-me.ts";
import { leaveForHost } from "../sources/leave-for-host.ts";
import { linkErrorText } from "../sources/link-errors.ts";
import { connectionsQuery, type SourceHost, type SourceRepository } from "../sources/sources-query.ts";
import { type AccountChoice, accountChoices } from "./account-choices.ts";
import { deployDemo } from "./deploy-demo.ts";
import { nameProblem } from "./name-problem.ts";
import type { Step } from "./next-step.ts";
import { forgetPending, storePending } from "./pending-try.ts";
import type { ResumedTry } from "./resumed-try.ts";
import { runFirstTry } from "./run-first-try.ts";
import { TryFailure } from "./try-failure.tsx";
import { useFirstTry } from "./use-first-try.ts";

const DOING: Readonly<Partial<Record<Step, string>>> = {
  create_repository: "Creating the repository…",
  create_service: "Creating the service…",
  set_source: "Setting its source…",
  start_build: "Starting the build…",
};

interface RepositoryFormProps {
  readonly hosts: readonly SourceHost[];
  readonly resumed: ResumedTry | null;
}

export function RepositoryForm({ hosts, resumed }: RepositoryFormProps) {
  const connections = useQuery(connectionsQuery);
  const { data: me } = useSuspenseQuery(meQuery);
  return (
    <QueryState query={connections}>
      {({ items }) => <LoadedForm choices={accountChoices(hosts, items, me.user_id)} hosts={hosts} resumed={resumed} />}
    </QueryState>
  );
}

interface Wanted {
  readonly name: string;
  readonly connectionId: string;
  /** Null for a new one. */
  readonly repository: SourceRepository | null;
}

/** What was refused is said, and over. What the network broke off may be gone on with after the page is loaded again. */
function endRefused(error: unknown): never {
  if (error instanceof ApiError) forgetPending(sessionStorage);
  throw error;
}

function LoadedForm({ choices, hosts, resumed }: RepositoryFormProps & { readonly choices: readonly AccountChoice[] }) {
  const [name, setName] = useState(resumed?.name ?? DEMO_NAME);
  const [chosen, setChosen] = useState(resumed?.connectionId ?? null);
  const problem = nameProblem(name);
  const [step, setStep] = useState<Step | null>(null);
  const made = useRef<Wanted | null>(null);
  const isOffered = resumed !== null && resumed.connectionId !== null && !resumed.isAutomatic;
  const choice = choices.find(({ value }) => value === chosen) ?? choices[0];
  const run = useFirstTry(async (wanted: Wanted) => {
    const onRepository = (repository: SourceRepository) => {
      made.current = { ...wanted, repository };
    };
    const serviceId = await runFirstTry({ ...wanted, onStep: setStep, onRepository }).catch(endRefused);
    forgetPending(sessionStorage);
    rememberVerifier(serviceId, DEMO_VERIFIER_IMAGE, localStorage);
    rememberInput(serviceId, DEMO_INPUT, localStorage);
    return serviceId;
  });
  const builtin = useFirstTry(deployDemo);
  const leave = useMutation({
    mutationFn: async ({ host, connectionId }: Pick<AccountChoice, "host" | "connectionId">) => {
      const pending = { name, teamId: activeTeam() ?? "", leftAt: Date.now(), connectionId: null };
      storePending(pending, sessionStorage);
      await leaveForHost({ host: host.name, returnTo: "/services", ...(connectionId !== null && { connectionId }) });
    },
  });
  const deploy = (connectionId: string, repository: SourceRepository | null = null) => {
    const isMade = made.current?.name === name && made.current.connectionId === connectionId;
    run.mutate({ name, connectionId, repository: repository ?? (isMade ? (made.current?.repository ?? null) : null) });
  };
  const goOn = useEffectEvent(() => {
    if (resumed?.connectionId && resumed.isAutomatic && run.isIdle) deploy(resumed.connectionId);
  });
  useEffect(() => goOn(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (choice === undefined || problem !== null) return;
    if (choice.connectionId === null) leave.mutate(choice);
    else deploy(choice.connectionId);
  };
  const withoutRepository = () => {
    if (problem === null) builtin.mutate(name);
  };
  const isBusy = run.isPending || leave.isPending || builtin.isPending;
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>
          It proves knowledge of integers with a given Poseidon hash. Its template is created as a private repository in
          your account at {choice?.host.title}, and built and deployed from there: each push deploys it again.{" "}
          {VERIFIER_TEXT}
        </Text>
        {isOffered && run.isIdle && !isBusy && (
          <Alert color="gray" role="status">
            The account is connected; continue with Deploy.
          </Alert>
        )}
        {resumed?.error && run.isIdle && !leave.isPending && (
          <Alert color="red" role="alert">
            {linkErrorText(resumed.error.code, hosts.find((host) => host.name === resumed.error?.host)?.title)}
          </Alert>
        )}
        <TextInput
          label="Name"
          description="Of the service and of the repository"
          required
          maxLength={63}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={problem}
        />
        {choices.length > 1 && (
          <Select
            label="Account"
            allowDeselect={false}
            data={choices.map(({ value, label }) => ({ value, label }))}
            value={choice?.value ?? null}
            onChange={setChosen}
          />
        )}
        {run.error !== null && !isBusy && choice !== undefined && (
          <TryFailure
            error={run.error}
            name={name}
            connectionId={run.variables?.connectionId ?? ""}
            onLeave={(connectionId) => leave.mutate({ host: choice.host, connectionId })}
            onUse={(repository) => deploy(run.variables?.connectionId ?? "", repository)}
          />
        )}
        <MutationError of={leave} />
        <MutationError of={builtin} />
        <Text size="sm" role="status">
          {run.isPending && step !== null ? DOING[step] : ""}
        </Text>
        <Group justify="space-between">
          <Button variant="subtle" disabled={isBusy} loading={builtin.isPending} onClick={withoutRepository}>
            Without a Repository
          </Button>
          <Button type="submit" data-autofocus disabled={isBusy} loading={run.isPending || leave.isPending}>
            Deploy
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
