/** Which repository a service is built from, and what of it. */
import { Checkbox, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { messageOf } from "../api/problem.ts";
import { visibleLine } from "../text/visible-text.ts";
import { ConnectButtons } from "./connect-buttons.tsx";
import { type SourceDraft, withConnection, withRepository } from "./source-draft.ts";
import {
  connectionsQuery,
  hostsQuery,
  repositoriesQuery,
  type SourceConnection,
  type SourceHost,
} from "./sources-query.ts";

interface SourceFieldsProps {
  readonly draft: SourceDraft;
  readonly onChange: (draft: SourceDraft) => void;
  /** The page to come back to from connecting a further account. */
  readonly returnTo: string;
  /** What was refused, by the pointer of the refusal. */
  readonly errors: Readonly<Record<string, string>>;
}

export function SourceFields({ draft, onChange, returnTo, errors }: SourceFieldsProps) {
  const { data: connections } = useQuery(connectionsQuery);
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
          <RepositorySelect draft={draft} onChange={onChange} error={errors["#/repository_id"]} />
        </Group>
      )}
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

export function accountText({ account, host }: SourceConnection, hosts: readonly SourceHost[]): string {
  const title = hosts.find(({ name }) => name === host)?.title ?? host;
  return `${visibleLine(account)} at ${title}`;
}

type RepositorySelectProps = Pick<SourceFieldsProps, "draft" | "onChange"> & { readonly error: string | undefined };

function RepositorySelect({ draft, onChange, error }: RepositorySelectProps) {
  const { connectionId } = draft;
  const repositories = useQuery({ ...repositoriesQuery(connectionId ?? ""), enabled: connectionId !== null });
  const items = repositories.data?.items ?? [];
  return (
    <Select
      label="Repository"
      searchable
      allowDeselect={false}
      nothingFoundMessage="No repository has this name. Add it to the app's repositories, and authorize again."
      placeholder={connectionId !== null && repositories.isPending ? "Reading the repositories…" : "Choose one"}
      disabled={connectionId === null}
      data={items.map(({ repository_id: value, name, fork }) => ({
        value,
        label: fork ? `${visibleLine(name)} (a fork, which is not built)` : visibleLine(name),
        disabled: fork,
      }))}
      value={items.some((one) => one.repository_id === draft.repositoryId) ? draft.repositoryId : null}
      onChange={(id) =>
        onChange(
          withRepository(
            draft,
            items.find((one) => one.repository_id === id),
          ),
        )
      }
      error={error ?? (repositories.error === null ? undefined : messageOf(repositories.error))}
    />
  );
}
