/** Opens the search, as Ctrl-K and `/` do. */
import { Button, Kbd } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { SearchDialog } from "./search-dialog.tsx";

export function SearchButton() {
  const [opened, { open, close }] = useDisclosure(false);
  useHotkeys([
    ["mod+K", open],
    ["/", open],
  ]);
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        aria-keyshortcuts="Control+K /"
        rightSection={
          <Kbd size="xs" visibleFrom="md">
            Ctrl K
          </Kbd>
        }
        onClick={open}
      >
        Search
      </Button>
      <SearchDialog opened={opened} onClose={close} />
    </>
  );
}
