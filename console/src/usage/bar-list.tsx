/** Values under each other, with bars as long as they are large: read aloud, a list of names and values. */
import { Box, Group, Stack, Text } from "@mantine/core";

interface BarListProps {
  readonly label: string;
  readonly bars: readonly {
    readonly key: string;
    readonly label: string;
    readonly value: number;
    readonly text: string;
  }[];
}

export function BarList({ label, bars }: BarListProps) {
  const most = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  return (
    <Stack component="ul" gap="xs" p={0} m={0} aria-label={label} style={{ listStyle: "none" }}>
      {bars.map(({ key, label: name, value, text }) => (
        <Box component="li" key={key}>
          <Group justify="space-between" gap="xs" wrap="nowrap">
            <Text size="sm" style={{ overflowWrap: "anywhere" }}>
              {name}
            </Text>
            <Text size="sm" ta="end">
              {text}
            </Text>
          </Group>
          <Box h={6} w={`${(100 * value) / most}%`} miw={value > 0 ? 2 : 0} bg="blue.6" aria-hidden />
        </Box>
      ))}
    </Stack>
  );
}
