/** A dialog with one text field, such as a name. */
import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import type { UseMutationResult } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { MutationError } from "../layout/mutation-error.tsx";

interface NameDialogProps<T> {
  readonly title: string;
  readonly label: string;
  /** What its button does. */
  readonly submit: string;
  readonly initial?: string;
  readonly lengthMax: number;
  readonly mutation: UseMutationResult<T, Error, string>;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** Closes when the mutation has succeeded. */
export function NameDialog<T>(props: NameDialogProps<T>) {
  const { title, label, submit, initial = "", lengthMax, mutation, opened, onClose, children } = props;
  const [text, setText] = useState(initial);
  const close = () => {
    mutation.reset();
    setText(initial);
    onClose();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    mutation.mutate(text.trim(), { onSuccess: close });
  };
  return (
    <Modal opened={opened} onClose={close} title={title} closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={onSubmit}>
        <Stack>
          {children}
          <TextInput
            label={label}
            required
            maxLength={lengthMax}
            data-autofocus
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <MutationError of={mutation} />
          <Group justify="end">
            <Button type="submit" loading={mutation.isPending}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
