/** All settings of a deployment. New services and changed settings are written in the same form. */
import { Autocomplete, Button, Fieldset, Group, Select, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { ApiError } from "../api/problem.ts";
import { MutationError } from "../layout/mutation-error.tsx";
import { volumesQuery } from "../volumes/volumes-query.ts";
import { type DeploymentDraft, type DeploymentRequest, isBuiltin, requestOf } from "./deployment-draft.ts";
import { EnvironmentFields } from "./environment-fields.tsx";
import { type FieldsProps, ImageFields } from "./image-fields.tsx";
import { gpuTypesQuery } from "./images-query.ts";
import { NumberInputs } from "./number-inputs.tsx";

interface DeploymentFormProps {
  readonly initial: DeploymentDraft;
  readonly onSubmit: (request: DeploymentRequest) => void;
  readonly submission: { readonly error: unknown; readonly isPending: boolean };
  /** Further fields, above the others. */
  readonly children?: ReactNode;
}

export function DeploymentForm({ initial, onSubmit, submission, children }: DeploymentFormProps) {
  const [draft, setDraft] = useState(initial);
  const onChange = (changed: Partial<DeploymentDraft>) => setDraft((before) => ({ ...before, ...changed }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(requestOf(draft));
  };
  const errors = submission.error instanceof ApiError ? submission.error.fields : {};
  const numbers = {
    numbers: draft.numbers,
    onChange: (all: DeploymentDraft["numbers"]) => onChange({ numbers: all }),
    errors,
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        <Fieldset legend="Image">
          <ImageFields draft={draft} onChange={onChange} errors={errors} />
        </Fieldset>
        <Fieldset legend="Resources">
          <Stack>
            <NumberInputs names={["cpu", "memory", "tmp", "pids", "gpus", "gpuMemory"]} {...numbers} />
            <MachineFields draft={draft} onChange={onChange} errors={errors} />
          </Stack>
        </Fieldset>
        <Fieldset legend="Environment">
          {isBuiltin(draft) ? (
            <Text c="dimmed">A builtin prover runs without environment variables and without a data volume.</Text>
          ) : (
            <EnvironmentFields env={draft.env} onChange={(env) => onChange({ env })} errors={errors} />
          )}
        </Fieldset>
        <Fieldset legend="Scaling">
          <NumberInputs names={["min", "max", "idleTimeout", "targetQueue"]} {...numbers} />
        </Fieldset>
        <Fieldset legend="Limits">
          <NumberInputs
            names={["queueTimeout", "startTimeout", "runTimeout", "concurrency", "proverRetries"]}
            {...numbers}
          />
        </Fieldset>
        <MutationError of={submission} />
        <Group justify="end">
          <Button type="submit" loading={submission.isPending} disabled={draft.image.trim() === ""}>
            Deploy
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** On which machines, and with which files. */
function MachineFields({ draft, onChange, errors }: FieldsProps) {
  const { data: gpuTypes } = useQuery(gpuTypesQuery);
  const { data: volumes } = useQuery(volumesQuery);
  const models = new Set((gpuTypes?.items ?? []).map(({ model }) => model));
  const profiles = new Set((gpuTypes?.items ?? []).flatMap(({ mig_profile }) => mig_profile ?? []));
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
      <Autocomplete
        label="GPU model"
        placeholder="any"
        data={[...models]}
        value={draft.gpuModel}
        onChange={(gpuModel) => onChange({ gpuModel })}
        error={errors["#/resources/gpu_model"]}
      />
      <Autocomplete
        label="MIG profile"
        placeholder="any"
        data={[...profiles]}
        value={draft.gpuMigProfile}
        onChange={(gpuMigProfile) => onChange({ gpuMigProfile })}
        error={errors["#/resources/gpu_mig_profile"]}
      />
      <TextInput
        label="Labels of the machine"
        placeholder="zone=a, disk=fast"
        value={draft.nodeLabels}
        onChange={(event) => onChange({ nodeLabels: event.currentTarget.value })}
        error={errors["#/resources/node_labels"]}
      />
      <Select
        label="Data volume"
        placeholder="none"
        clearable
        disabled={isBuiltin(draft)}
        data={(volumes?.items ?? []).map(({ volume_id: value, name: label }) => ({ value, label }))}
        value={draft.volumeId}
        onChange={(volumeId) => onChange({ volumeId })}
        error={errors["#/volume_id"]}
      />
    </SimpleGrid>
  );
}
