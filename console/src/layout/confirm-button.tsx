/** A button for what cannot be undone, or what others notice: it needs a confirmation, which says what will happen. */
import { Button, type ButtonProps, Group, Modal, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { UseMutationResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { MutationError } from "./mutation-error.tsx";

interface ConfirmButtonProps extends Pick<ButtonProps, "color" | "variant" | "size" | "disabled"> {
  /** What the button does, a verb. */
  readonly label: string;
  /** The same with its object, such as `Delete the shell lab`. */
  readonly action: string;
  /** Runs when the user confirms; the dialog closes when it has succeeded. */
  readonly mutation: UseMutationResult<unknown, Error, void>;
  /** What will happen. */
  readonly children: ReactNode;
}

export function ConfirmButton({ label, action, mutation, children, ...button }: ConfirmButtonProps) {
  const [opened, { open, close }] = useDisclosure(false);
  const dismiss = () => {
    mutation.reset();
    close();
  };
  return (
    <>
      <Button aria-label={action} {...button} onClick={open}>
        {label}
      </Button>
      <Modal opened={opened} onClose={dismiss} title={`${action}?`} closeButtonProps={{ "aria-label": "Close" }}>
        <Stack>
          {children}
          <MutationError of={mutation} />
          <Group justify="end">
            <Button variant="default" data-autofocus onClick={dismiss}>
              Cancel
            </Button>
            <Button
              color={button.color ?? "blue"}
              loading={mutation.isPending}
              onClick={() => mutation.mutate(undefined, { onSuccess: close })}
            >
              {label}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
