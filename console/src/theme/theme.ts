/** What all pages look like. Fonts are those of the system: nothing is loaded from elsewhere. */
import { Badge, createTheme, ModalHeader, TableScrollContainer } from "@mantine/core";

export const theme = createTheme({
  primaryColor: "blue",
  // Contrast of 4.5 with white text and on white (WCAG 2.2, 1.4.3).
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Badge: Badge.extend({ defaultProps: { variant: "light", tt: "none" } }),
    // The page has one banner, and the title of a dialog is none.
    ModalHeader: ModalHeader.extend({ defaultProps: { role: "none" } }),
    // A table that is wider than the page shows that it scrolls, before it is touched.
    TableScrollContainer: TableScrollContainer.extend({ defaultProps: { scrollAreaProps: { type: "auto" } } }),
  },
});
