/** What the audit log is filtered by. */
import { Button, Group, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { TextField } from "../layout/text-field.tsx";
import { TimeField } from "../layout/time-field.tsx";
import { membersQuery } from "../members/members-query.ts";
import { type AuditFilter, auditQueryOf } from "./audit-filter.ts";

interface AuditFiltersProps {
  readonly teamId: string;
  readonly filter: AuditFilter;
  readonly onChange: (filter: AuditFilter) => void;
}

export function AuditFilters({ teamId, filter, onChange }: AuditFiltersProps) {
  const { data: members = [] } = useQuery(membersQuery(teamId));
  const change = (changed: AuditFilter) => onChange({ ...filter, ...changed });
  return (
    <Group align="end" gap="sm">
      <TextField
        label="Action"
        placeholder="Such as createKey"
        value={filter.action}
        onChange={(action) => change({ action })}
      />
      <Select
        label="User"
        placeholder="All"
        clearable
        searchable
        w={180}
        value={filter.user_id ?? null}
        data={members.map(({ user_id: value, name: label }) => ({ value, label }))}
        onChange={(value) => change({ user_id: value ?? undefined })}
      />
      <TextField
        label="Object id"
        placeholder="Of a service, key, …"
        value={filter.object_id}
        onChange={(object_id) => change({ object_id })}
      />
      <TimeField label="From" value={filter.from} onChange={(from) => change({ from })} />
      <TimeField label="Before" value={filter.to} onChange={(to) => change({ to })} />
      {Object.keys(auditQueryOf(filter)).length > 0 && (
        <Button variant="subtle" onClick={() => onChange({})}>
          Clear Filters
        </Button>
      )}
    </Group>
  );
}
