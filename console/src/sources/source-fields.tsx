/** Which repository a service is built from, and what of it. */
import { Checkbox, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ApiError } from "../api/problem.ts";
import { visibleLine } from "../text/visible-text.ts";
import { ConnectButtons } from "./connect-buttons.tsx";
import { repositoryOptions } from "./repository-options.ts";
import { type SourceDraft, withConnection, withRepository } from "./source-draft.ts";
import { SourceRefusal } from "./source-refusal.tsx";
import {
  connectionsQuery,
  hostsQuery,
  repositoriesQuery,
  type ServiceSource,
  type SourceConnection,
  type SourceHost,
  type SourceRepository,
} from "./sources-query.ts";

interface SourceFieldsProps {
  readonly draft: SourceDraft;
  readonly onChange: (draft: SourceDraft) => void;
  /** The page to come back to from connecting a further account. */
  readonly returnTo: string;
  /** What was refused of it. */
  readonly error: Error | null;
  /** What is set already. */
  readonly source?: ServiceSource | null;
}

export function SourceFields({ draft, onChange, returnTo, error, source = null }: SourceFieldsProps) {
  const { connectionId } = draft;
  const errors = error instanceof ApiError ? error.fields : {};
  const { data: connections } = useQuery(connectionsQuery);
  const repositories = useQuery({ ...repositoriesQuery(connectionId ?? ""), enabled: connectionId !== null });
  const { data: hosts } = useQuery(hostsQuery);
  const usable = (connections?.items ?? []).filter(({ state }) => state === "active");
  const isNone = connections !== undefined && usable.length === 0;
  return (
    <Stack>
      {isNone && (
        <Text c="dimmed">
          The team has no account connected from which it could build. Connect one, and choose there which repositories
          this service may read.
        </Text>
      )}
      {!isNone && (
        <Group grow align="start" preventGrowOverflow={false}>
          <Select
            label="Account"
            allowDeselect={false}
            data={usable.map((one) => ({ value: one.connection_id, label: accountText(one, hosts?.items ?? []) }))}
            value={usable.some((one) => one.connection_id === draft.connectionId) ? draft.connectionId : null}
            onChange={(id) => onChange(withConnection(draft, id))}
            error={errors["#/connection_id"]}
          />
          <RepositorySelect
            draft={draft}
            onChange={onChange}
            source={source}
            repositories={repositories.data?.items ?? []}
            placeholder={repositories.isLoading ? "Reading the repositories…" : "Choose one"}
            error={errors["#/repository_id"]}
          />
        </Group>
      )}
      <SourceRefusal
        error={isShownAtFields(error) ? null : (error ?? (isNone ? null : repositories.error))}
        connection={usable.find((one) => one.connection_id === connectionId)}
        returnTo={returnTo}
      />
      <ConnectButtons returnTo={returnTo} />
      <Group grow align="start" preventGrowOverflow={false}>
        <TextInput
          label="Branch"
          required
          maxLength={250}
          value={draft.branch}
          onChange={(event) => onChange({ ...draft, branch: event.currentTarget.value })}
          error={errors["#/branch"]}
        />
        <TextInput
          label="Folder"
          description="That has the Dockerfile; empty for all of the repository"
          inputWrapperOrder={["label", "input", "description", "error"]}
          maxLength={512}
          value={draft.baseDir}
          onChange={(event) => onChange({ ...draft, baseDir: event.currentTarget.value })}
          error={errors["#/base_dir"]}
        />
      </Group>
      <Checkbox
        label="Deploy on push"
        description="Each push to the branch is built, and deployed once it has proved the last successful input"
        checked={draft.deployOnPush}
        onChange={(event) => onChange({ ...draft, deployOnPush: event.currentTarget.checked })}
      />
    </Stack>
  );
}

const FIELDS: readonly string[] = ["#/connection_id", "#/repository_id", "#/branch", "#/base_dir", "#/service_name"];

/** What its field says is said nowhere else. */
function isShownAtFields(error: Error | null): boolean {
  const pointers = error instanceof ApiError ? Object.keys(error.fields) : [];
  return pointers.length > 0 && pointers.every((pointer) => FIELDS.includes(pointer));
}

function accountText({ account, host }: SourceConnection, hosts: readonly SourceHost[]): string {
  const title = hosts.find(({ name }) => name === host)?.title ?? host;
  return `${visibleLine(account)} at ${title}`;
}

interface RepositorySelectProps extends Pick<SourceFieldsProps, "draft" | "onChange"> {
  readonly source: ServiceSource | null;
  readonly repositories: readonly SourceRepository[];
  readonly placeholder: string;
  readonly error: string | undefined;
}

function RepositorySelect({ draft, onChange, source, repositories, placeholder, error }: RepositorySelectProps) {
  const options = repositoryOptions(repositories, source?.connection_id === draft.connectionId ? source : null);
  return (
    <Select
      label="Repository"
      searchable
      allowDeselect={false}
      nothingFoundMessage="No repository of this name is accessible. Connect the account again after giving access to it."
      placeholder={placeholder}
      disabled={draft.connectionId === null}
      data={[...options]}
      value={options.some(({ value }) => value === draft.repositoryId) ? draft.repositoryId : null}
      onChange={(id) => {
        const chosen = repositories.find((one) => one.repository_id === id);
        if (chosen !== undefined) onChange(withRepository(draft, chosen));
      }}
      error={error}
    />
  );
}
