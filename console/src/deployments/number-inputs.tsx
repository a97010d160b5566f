/** Some of a deployment's numbers. An empty one is the service's default. */
import { NumberInput, SimpleGrid } from "@mantine/core";
import type { DeploymentDraft } from "./deployment-draft.ts";
import { type NumberName, numberField, pointerOf } from "./number-fields.ts";

interface NumberInputsProps {
  readonly names: readonly NumberName[];
  readonly numbers: DeploymentDraft["numbers"];
  readonly onChange: (numbers: DeploymentDraft["numbers"]) => void;
  readonly errors: Readonly<Record<string, string>>;
}

export function NumberInputs({ names, numbers, onChange, errors }: NumberInputsProps) {
  const set = (name: NumberName, value: number | string) => {
    const { [name]: _, ...others } = numbers;
    onChange(value === "" ? others : { ...others, [name]: Number(value) });
  };
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
      {names.map((name) => {
        const field = numberField(name);
        return (
          <NumberInput
            key={name}
            label={field.label}
            description={field.description}
            inputWrapperOrder={["label", "input", "description", "error"]}
            placeholder="default"
            min={0}
            decimalScale={field.decimals ?? 0}
            value={numbers[name] ?? ""}
            onChange={(value) => set(name, value)}
            error={errors[pointerOf(field)]}
          />
        );
      })}
    </SimpleGrid>
  );
}
