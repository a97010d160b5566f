/** Which page of a long list is shown; nothing where there is one alone. */
import { Pagination } from "@mantine/core";

interface PagesProps {
  readonly of: { readonly page: number; readonly pages: number };
  /** Undefined for the first. */
  readonly onChange: (page: number | undefined) => void;
}

export function Pages({ of: { page, pages }, onChange }: PagesProps) {
  if (pages <= 1) return null;
  return (
    <Pagination
      total={pages}
      value={page}
      onChange={(next) => onChange(next === 1 ? undefined : next)}
      getItemProps={(next) => ({ "aria-label": `Page ${next}` })}
      getControlProps={(control) => ({ "aria-label": `The ${control} page` })}
    />
  );
}
