/**
 * A dialog that creates a secret and then shows it, once. It stays open while the request is under way, and no click outside of it
 * closes it over the secret, which would be lost.
 */
import { Modal } from "@mantine/core";
import type { ReactNode } from "react";

interface SecretDialogProps<T> {
  readonly title: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  /** A mutation with `gcTime: 0`, so that nothing keeps the secret once the dialog is closed. */
  readonly creation: { readonly data: T | undefined; readonly isPending: boolean; readonly reset: () => void };
  readonly form: ReactNode;
  /** What shows the secret. */
  readonly children: (created: T, onDone: () => void) => ReactNode;
}

export function SecretDialog<T>({ title, opened, onClose, creation, form, children }: SecretDialogProps<T>) {
  const { data, isPending, reset } = creation;
  const isForm = data === undefined;
  const close = () => {
    if (isPending) return;
    reset();
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={title}
      closeOnClickOutside={isForm}
      closeOnEscape={isForm}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {isForm ? form : children(data, close)}
    </Modal>
  );
}
