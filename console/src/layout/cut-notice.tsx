/** That a list has more than the page shows of it. */
import { Text } from "@mantine/core";

interface CutNoticeProps {
  readonly of: { readonly items: readonly unknown[]; readonly total: number };
}

export function CutNotice({ of: { items, total } }: CutNoticeProps) {
  if (items.length >= total) return null;
  return (
    <Text c="dimmed" role="status">
      The first {items.length.toLocaleString()} of {total.toLocaleString()} are shown.
    </Text>
  );
}
