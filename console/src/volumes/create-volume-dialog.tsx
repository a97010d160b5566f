/** Makes a volume of files or of a folder on the user's machine, with the progress of it. */
import { Button, FileButton, Group, Modal, Progress, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useRef, useState } from "react";
import { bytesText } from "../layout/bytes-text.ts";
import { MutationError } from "../layout/mutation-error.tsx";
import { type Chosen, chosenFiles } from "./chosen-files.ts";
import { type UploadProgress, uploadVolume } from "./upload-volume.ts";
import { volumesQuery } from "./volumes-query.ts";

export function CreateVolumeDialog({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [name, setName] = useState("");
  const [progress, setProgress] = useState<UploadProgress | null>(null);
  const uploading = useRef<AbortController>(null);
  const creation = useMutation({
    mutationFn: async (of: Chosen) => {
      const controller = new AbortController();
      uploading.current = controller;
      return await uploadVolume(name, of.files, setProgress, controller.signal);
    },
    onSuccess: async ({ volume_id: volumeId }) => {
      onClose();
      await queries.invalidateQueries(volumesQuery);
      await navigate({ to: "/volumes/$volumeId", params: { volumeId } });
    },
    onSettled: () => setProgress(null),
  });
  const choose = (list: readonly File[]) => {
    if (list.length === 0) return;
    const next = chosenFiles(list);
    setChosen(next);
    setName(next.name);
  };
  const close = () => {
    uploading.current?.abort(new DOMException("The upload was cancelled.", "AbortError"));
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen !== null) creation.mutate(chosen);
  };
  return (
    <Modal opened onClose={close} title="Create a volume" closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={submit}>
        <Stack>
          <Group gap="xs">
            <FileButton multiple onChange={choose} disabled={creation.isPending}>
              {(props) => (
                <Button variant="default" data-autofocus {...props}>
                  Choose files
                </Button>
              )}
            </FileButton>
            <FileButton
              multiple
              onChange={choose}
              disabled={creation.isPending}
              // Not an attribute that React has a type for.
              inputProps={{ webkitdirectory: "" } as object}
            >
              {(props) => (
                <Button variant="default" {...props}>
                  Choose a folder
                </Button>
              )}
            </FileButton>
          </Group>
          {chosen !== null && <Text>{summary(chosen)}</Text>}
          <TextInput
            label="Name"
            required
            maxLength={63}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {progress !== null && <ProgressOf progress={progress} />}
          <MutationError of={creation} />
          <Group justify="end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={creation.isPending} disabled={chosen === null}>
              Create
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function summary({ files }: Chosen): string {
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  return `${files.length} ${files.length === 1 ? "file" : "files"}, ${bytesText(bytes)}`;
}

function ProgressOf({ progress: { doing, doneBytes, totalBytes } }: { readonly progress: UploadProgress }) {
  const percent = totalBytes === 0 ? 100 : Math.floor((100 * doneBytes) / totalBytes);
  const text = doing === "reading" ? "Reading the files" : "Sending what the service does not have yet";
  return (
    <Stack gap={4}>
      <Text size="sm" role="status">
        {text}: {bytesText(doneBytes)} of {bytesText(totalBytes)}
      </Text>
      <Progress value={percent} aria-label={text} />
    </Stack>
  );
}
