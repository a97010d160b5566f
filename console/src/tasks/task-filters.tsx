/** What a list of tasks is filtered by. */
import { Button, Group, Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { TimeField } from "../layout/time-field.tsx";
import { servicesQuery } from "../services/services-query.ts";
import { FAILURE_REASONS } from "./failure-advice.ts";
import { isFiltered, readIdPrefix, type TaskFilter } from "./task-filter.ts";
import { PHASES, STATES } from "./task-phases.ts";

interface TaskFiltersProps {
  readonly filter: TaskFilter;
  readonly onChange: (changed: TaskFilter) => void;
  readonly onClear: () => void;
}

export function TaskFilters({ filter, onChange, onClear }: TaskFiltersProps) {
  return (
    <Group align="end" gap="sm">
      <ServiceFilter filter={filter} onChange={onChange} />
      <Choice label="State" values={STATES} value={filter.state} onChange={(state) => onChange({ state })} />
      <Choice label="Phase" values={PHASES} value={filter.phase} onChange={(phase) => onChange({ phase })} />
      <Choice
        label="Reason"
        values={FAILURE_REASONS}
        value={filter.reason}
        onChange={(reason) => onChange({ reason })}
      />
      <TimeField
        label="Created from"
        value={filter.created_after}
        onChange={(created_after) => onChange({ created_after })}
      />
      <TimeField
        label="Created before"
        value={filter.created_before}
        onChange={(created_before) => onChange({ created_before })}
      />
      <IdField key={filter.id_prefix} value={filter.id_prefix} onChange={(id_prefix) => onChange({ id_prefix })} />
      {isFiltered(filter) && (
        <Button variant="subtle" onClick={onClear}>
          Clear Filters
        </Button>
      )}
    </Group>
  );
}

function ServiceFilter({ filter, onChange }: Pick<TaskFiltersProps, "filter" | "onChange">) {
  const { data } = useQuery(servicesQuery);
  return (
    <Select
      label="Service"
      placeholder="All"
      clearable
      searchable
      w={200}
      value={filter.service_id ?? null}
      data={(data?.items ?? []).map(({ service_id: value, service_name: label }) => ({ value, label }))}
      onChange={(value) => onChange({ service_id: value ?? undefined })}
    />
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly values: readonly T[];
  readonly value: T | undefined;
  readonly onChange: (value: T | undefined) => void;
}

function Choice<T extends string>({ label, values, value, onChange }: ChoiceProps<T>) {
  return (
    <Select
      label={label}
      placeholder="All"
      clearable
      w={150}
      value={value ?? null}
      data={[...values]}
      onChange={(chosen) => onChange(values.find((one) => one === chosen))}
    />
  );
}

interface TextFieldProps {
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

function IdField({ value, onChange }: TextFieldProps) {
  const [typed, setTyped] = useState(value ?? "");
  const isWrong = typed.trim() !== "" && readIdPrefix(typed) === null;
  const commit = () => {
    const chosen = readIdPrefix(typed) ?? undefined;
    if (!isWrong && chosen !== value) onChange(chosen);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        commit();
      }}
    >
      <TextInput
        label="Task id"
        placeholder="The id, or its first 8 characters"
        w={290}
        value={typed}
        error={isWrong ? "8 to 32 of the characters 0-9 and a-f" : null}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={commit}
      />
    </form>
  );
}
