/** Which GPUs a new shell gets: the types that exist, each with how many are free now. */
import { NumberInput, Select, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ShellForm } from "./shell-form.ts";
import { gpuTypesQuery } from "./shells-query.ts";

/** No type of GPU has this name. */
const NO_GPU = "";
const GPUS_MAX = 16;

export interface FormPartProps {
  readonly form: ShellForm;
  readonly set: (change: Partial<ShellForm>) => void;
}

export function GpuFields({ form, set }: FormPartProps) {
  const types = useQuery(gpuTypesQuery);
  const items = types.data?.items ?? [];
  const chosen = items.find(({ gpu_type: type }) => type === form.gpuType);
  const options = items.map(({ gpu_type: value, total, free }) => ({
    value,
    label: `${value}: ${free} of ${total} free`,
  }));
  return (
    <>
      <Select
        label="GPU type"
        data-autofocus
        allowDeselect={false}
        data={[{ value: NO_GPU, label: "No GPU" }, ...options]}
        value={form.gpuType ?? NO_GPU}
        onChange={(value) => set({ gpuType: value === NO_GPU ? null : value })}
      />
      {chosen?.free === 0 && (
        <Text size="sm" c="dimmed">
          None is free now: the shell waits until one is.
        </Text>
      )}
      {form.gpuType !== null && (
        <NumberInput
          label="Number of GPUs"
          min={1}
          max={GPUS_MAX}
          allowDecimal={false}
          value={form.gpuCount}
          onChange={(value) => set({ gpuCount: Number(value) || 1 })}
        />
      )}
    </>
  );
}
