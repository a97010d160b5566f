/** Finds services, tasks, shells, volumes and keys by what is typed; the arrow keys and Enter open one. */
import { Badge, Combobox, Group, Loader, Modal, Text, TextInput, useCombobox } from "@mantine/core";
import { useDebouncedValue, useWindowEvent } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { api } from "../api/client.ts";
import { dataOf, messageOf } from "../api/problem.ts";
import { type Found, linkOf } from "./found-link.ts";

const TYPING_MS = 150;
const QUERY_LENGTH_MAX = 100;

interface SearchDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function SearchDialog({ opened, onClose }: SearchDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Search" closeButtonProps={{ "aria-label": "Close" }} size="lg">
      <Search onClose={onClose} />
    </Modal>
  );
}

function Search({ onClose }: Pick<SearchDialogProps, "onClose">) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const { found, isFetching, error } = useFound(typed.trim());
  // The options are always shown, so the arrow keys move among them.
  const combobox = useCombobox({ opened: true });
  const { selectFirstOption, resetSelectedOption } = combobox;
  useEffect(() => {
    if (found?.length === 0) resetSelectedOption();
    else selectFirstOption();
  }, [found, selectFirstOption, resetSelectedOption]);
  // Which the list of options would keep for itself.
  useWindowEvent("keydown", ({ key }) => {
    if (key === "Escape") onClose();
  });
  const open = (key: string) => {
    const chosen = found?.find((one) => keyOf(one) === key);
    if (chosen === undefined) return;
    onClose();
    void navigate(linkOf(chosen));
  };
  return (
    <Combobox store={combobox} onOptionSubmit={open}>
      <Combobox.EventsTarget>
        <TextInput
          aria-label="Search for"
          placeholder="A name, or the start of an id"
          data-autofocus
          maxLength={QUERY_LENGTH_MAX}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          rightSection={isFetching ? <Loader size="xs" aria-label="Searching" /> : null}
        />
      </Combobox.EventsTarget>
      <Text role="status" c={error === null ? "dimmed" : "red"} size="sm" mt="xs">
        {statusOf(found, error)}
      </Text>
      <Combobox.Options aria-label="Found">
        {found?.map((one) => (
          <Combobox.Option key={keyOf(one)} value={keyOf(one)}>
            <FoundLine of={one} />
          </Combobox.Option>
        ))}
      </Combobox.Options>
    </Combobox>
  );
}

/** What matches once nothing is typed for a moment; undefined for no query. */
function useFound(typed: string) {
  const [query] = useDebouncedValue(typed, TYPING_MS);
  const { data, isFetching, error } = useQuery({
    queryKey: ["search", query],
    queryFn: () => dataOf(api.GET("/v1/search", { params: { query: { q: query } } })),
    enabled: query !== "",
    placeholderData: keepPreviousData,
  });
  return { found: typed === "" ? undefined : data?.items, isFetching, error };
}

function statusOf(found: readonly Found[] | undefined, error: Error | null): string {
  if (error !== null) return messageOf(error);
  if (found === undefined) return "Services, tasks, shells, volumes and access keys of the team.";
  return found.length === 0 ? "Nothing matches." : `${found.length} found.`;
}

function FoundLine({ of: { kind, id, name, state } }: { readonly of: Found }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Badge variant="light" tt="none" miw={72}>
        {kind}
      </Badge>
      <div>
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {name}
          {state === null ? "" : ` · ${state}`}
        </Text>
        <Text size="xs" style={{ overflowWrap: "anywhere" }}>
          {id}
        </Text>
      </div>
    </Group>
  );
}

function keyOf({ kind, id }: Found): string {
  return `${kind}/${id}`;
}
