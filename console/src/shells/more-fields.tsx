/** What most users leave as it is: image, size, ends, logins and where the shell may connect. */
import { Accordion, NumberInput, Select, SimpleGrid, Stack, Switch, TagsInput } from "@mantine/core";
import type { FormPartProps } from "./gpu-fields.tsx";

interface MoreFieldsProps extends FormPartProps {
  readonly offer: { readonly images: readonly string[]; readonly egress: readonly string[] };
}

const IDLE_HOURS_DEFAULT = 1;

export function MoreFields({ form, set, offer: { images, egress } }: MoreFieldsProps) {
  const number = (value: string | number, fallback: number) => (value === "" ? fallback : Number(value));
  return (
    <Accordion variant="separated">
      <Accordion.Item value="more">
        <Accordion.Control>More options</Accordion.Control>
        <Accordion.Panel>
          <Stack>
            {images.length > 1 && (
              <Select
                label="Image"
                allowDeselect={false}
                data={[...images]}
                value={form.image ?? images[0] ?? null}
                onChange={(image) => set({ image })}
              />
            )}
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <NumberInput
                label="CPU cores"
                min={0.1}
                max={256}
                step={1}
                value={form.cpus}
                onChange={(value) => set({ cpus: number(value, form.cpus) })}
              />
              <NumberInput
                label="Memory (GiB)"
                min={0.0625}
                max={4096}
                value={form.memoryGib}
                onChange={(value) => set({ memoryGib: number(value, form.memoryGib) })}
              />
              <NumberInput
                label="Home (GiB)"
                description="Retained when it stops."
                min={0.03125}
                max={1024}
                value={form.homeGib}
                onChange={(value) => set({ homeGib: number(value, form.homeGib) })}
              />
              <NumberInput
                label="Longest run (hours)"
                min={1}
                max={720}
                value={form.longestLifeHours}
                onChange={(value) => set({ longestLifeHours: number(value, form.longestLifeHours) })}
              />
            </SimpleGrid>
            <Switch
              label="Stop when nobody uses it"
              checked={form.idleStopHours !== null}
              onChange={(event) => set({ idleStopHours: event.currentTarget.checked ? IDLE_HOURS_DEFAULT : null })}
            />
            {form.idleStopHours !== null && (
              <NumberInput
                label="Unused for (hours)"
                min={0.1}
                max={720}
                value={form.idleStopHours}
                onChange={(value) => set({ idleStopHours: number(value, IDLE_HOURS_DEFAULT) })}
              />
            )}
            <Switch
              label="Log in with a password"
              description="Without it, only the SSH keys of the team's members open it."
              checked={form.hasPassword}
              onChange={(event) => set({ hasPassword: event.currentTarget.checked })}
            />
            {egress.length > 0 && (
              <TagsInput
                label="May connect to"
                description={`As host or host:port, within ${egress.join(", ")}. Nowhere if left empty.`}
                value={[...form.egress]}
                onChange={(value) => set({ egress: value })}
              />
            )}
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
