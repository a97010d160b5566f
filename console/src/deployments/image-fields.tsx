/** What is deployed: a prover that needs no image, an image that was pushed, or any other by its name. */
import { Autocomplete, Group, SegmentedControl, Select, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../api/problem.ts";
import { type DeploymentDraft, isBuiltin } from "./deployment-draft.ts";
import { builtinsQuery, imagesQuery } from "./images-query.ts";

const SOURCES = [
  { value: "pushed", label: "Pushed Image" },
  { value: "builtin", label: "Builtin Prover" },
  { value: "named", label: "Image Name" },
] as const;
type Source = (typeof SOURCES)[number]["value"];

export interface FieldsProps {
  readonly draft: DeploymentDraft;
  readonly onChange: (changed: Partial<DeploymentDraft>) => void;
  /** What was refused, by the pointer of the refusal. */
  readonly errors: Readonly<Record<string, string>>;
}

export function ImageFields({ draft, onChange, errors }: FieldsProps) {
  const [source, setSource] = useState<Source>(draft.image === "" ? "pushed" : isBuiltin(draft) ? "builtin" : "named");
  const { data: builtins } = useQuery(builtinsQuery);
  const images = (builtins?.items ?? []).map(({ image }) => image);
  // A tag belongs to one image: for another it is looked up again.
  const choose = (image: string | null) => onChange({ image: image ?? "", tag: "" });
  return (
    <Stack>
      <SegmentedControl
        aria-label="Where the image comes from"
        data={[...SOURCES]}
        value={source}
        onChange={(value) => setSource(value as Source)}
      />
      {source === "pushed" && <PushedImage image={draft.image} onChoose={choose} />}
      {source === "builtin" && (
        <Select
          label="Builtin prover"
          data={images}
          value={isBuiltin(draft) ? draft.image : null}
          onChange={choose}
          error={errors["#/image"]}
        />
      )}
      {source === "named" && (
        <TextInput
          label="Image"
          description="<registry>/<repository>:<tag>, or by its digest"
          value={draft.image}
          onChange={(event) => choose(event.currentTarget.value)}
          error={errors["#/image"]}
        />
      )}
      {source === "pushed" && errors["#/image"] !== undefined && <Text c="red">{errors["#/image"]}</Text>}
      <Group grow align="start" preventGrowOverflow={false}>
        <TextInput
          label="Tag"
          description="Your label; the image's own tag if it is empty"
          value={draft.tag}
          onChange={(event) => onChange({ tag: event.currentTarget.value })}
          error={errors["#/tag"]}
        />
        <Autocomplete
          label="Verifier image"
          description="Must accept each proof before it counts; empty for none"
          data={images.filter((image) => image.endsWith("-verify"))}
          value={draft.verifierImage}
          onChange={(verifierImage) => onChange({ verifierImage })}
          error={errors["#/verifier_image"]}
        />
      </Group>
    </Stack>
  );
}

interface PushedImageProps {
  readonly image: string;
  readonly onChoose: (image: string | null) => void;
}

function PushedImage({ image, onChoose }: PushedImageProps) {
  const { data, error, isPending } = useQuery(imagesQuery);
  const [name, setName] = useState<string | null>(null);
  if (error !== null) return <Text c="dimmed">{messageOf(error)}</Text>;
  const items = data?.items ?? [];
  if (!isPending && items.length === 0) {
    return (
      <Text c="dimmed">
        The team has pushed no images yet. `elastic build` and `elastic deploy` push one from a terminal.
      </Text>
    );
  }
  const chosen = items.find((one) => one.image === name);
  return (
    <Stack gap="xs">
      <Group grow align="start">
        <Select
          label="Repository"
          searchable
          data={items.map(({ image: value, repository: label }) => ({ value, label }))}
          value={name}
          onChange={(value) => {
            setName(value);
            onChoose(null);
          }}
        />
        <Select
          label="Image tag"
          searchable
          disabled={chosen === undefined}
          data={(chosen?.tags ?? []).map((tag) => ({ value: `${chosen?.image}:${tag}`, label: tag }))}
          value={chosen !== undefined && image.startsWith(chosen.image) ? image : null}
          onChange={onChoose}
        />
      </Group>
      {data?.truncated === true && (
        <Text size="sm" c="dimmed">
          The team has more images than are listed here. Any of them can be deployed by its name.
        </Text>
      )}
    </Stack>
  );
}
