// Opens the session with the token of the printed address, which leaves the address at once, then
// draws the page.
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { openSession } from "./data/api.ts";
import { client, startQueries } from "./data/queries.ts";
import { applySettings } from "./data/settings.ts";
import { listenToKeys } from "./keys.ts";
import { announce } from "./notify.ts";
import { App } from "./app.tsx";
import { Closed } from "./closed.tsx";

applySettings();
listenToKeys();
const token = new URLSearchParams(location.hash.slice(1)).get("token");
if (token !== null) history.replaceState(null, "", location.pathname + location.search);
const place = document.querySelector("#root");
if (place !== null) {
  const page = createRoot(place);
  const session = await openSession(token);
  if (session === "open") startQueries((event) => void announce(event));
  page.render(
    <StrictMode>
      <QueryClientProvider client={client}>
        {session === "open" ? <App /> : <Closed why={token === null ? "none" : session} />}
      </QueryClientProvider>
    </StrictMode>,
  );
}
