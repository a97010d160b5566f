/** The console starts here: theme, requests, pages. */
import "@mantine/core/styles.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { router } from "./router.tsx";
import { queryClient } from "./session/query-client.ts";
import { cssVariables } from "./theme/css-variables.ts";
import { styleNonce } from "./theme/style-nonce.ts";
import { theme } from "./theme/theme.ts";

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no element with the id root");

// What stops the page from scrolling behind a dialog adds a style element.
setNonce(styleNonce());

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
