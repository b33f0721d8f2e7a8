// The shell: the menu, the bar that says when the connection is lost, the screen, and what can be
// opened over any screen.
import { Suspense, useState } from "react";
import { Link, Route, Switch, useLocation } from "wouter";
import { type Binding, useKeys } from "./keys.ts";
import { useNotifications } from "./notify.ts";
import { Palette } from "./palette.tsx";
import { ConnectionBar } from "./parts/connection.tsx";
import { Fenced, Empty, Skeleton } from "./parts/notes.tsx";
import { Preferences } from "./preferences.tsx";
import { BottomBar, Rail } from "./rail.tsx";
import { screens } from "./screens.tsx";
import { KeySheet } from "./sheet.tsx";
import { useSay } from "./texts/index.ts";
import { useLive } from "./data/live.ts";
import { useNow } from "./data/clock.ts";

export type Over = "palette" | "keys" | "preferences" | null;

/** After this long without news, live values are greyed. */
const staleMs = 60_000;

export function App() {
  const [path, go] = useLocation();
  const [over, setOver] = useState<Over>(null);
  const { status, asOf } = useLive();
  const stale = useNow() - asOf > staleMs && status === "offline";
  useNotifications(go);
  useKeys([
    { keys: ["mod+k"], label: "key.palette", run: () => openPalette(setOver), everywhere: true },
    { keys: ["/"], label: "key.search", run: () => openPalette(setOver) },
    { keys: ["?"], label: "key.sheet", run: () => setOver("keys") },
    ...screens.flatMap(({ path: to, menu }): Binding[] =>
      menu
        ? [
            {
              keys: [`g ${menu.key}`, ...(menu.single === undefined ? [] : [menu.single])],
              label: menu.text,
              run: () => go(menu.href ?? to),
            },
          ]
        : [],
    ),
  ]);
  return (
    <div data-stale={stale} className="flex h-dvh flex-col">
      <ConnectionBar />
      <div className="grid min-h-0 flex-1 grid-cols-[200px_minmax(0,1fr)] max-lg:grid-cols-[60px_minmax(0,1fr)] max-sm:grid-cols-1 max-sm:grid-rows-[minmax(0,1fr)_auto]">
        <Rail open={setOver} />
        <Fenced key={path.split("/")[1]}>
          <Suspense fallback={<Skeleton />}>
            <Screens />
          </Suspense>
        </Fenced>
        <BottomBar open={setOver} />
      </div>
      {over === "palette" ? <Palette close={() => setOver(null)} open={setOver} /> : null}
      {over === "keys" ? <KeySheet close={() => setOver(null)} /> : null}
      {over === "preferences" ? <Preferences close={() => setOver(null)} /> : null}
    </div>
  );
}

// --- internal ---

/** Over a dialog it would hide what is being decided there. */
function openPalette(open: (over: Over) => void): boolean {
  if (document.querySelector("dialog[open]") !== null) return false;
  open("palette");
  return true;
}

function Screens() {
  const say = useSay();
  return (
    <Switch>
      {screens.map(({ path, component }) => (
        <Route key={path} path={path} component={component} />
      ))}
      <Route>
        <main>
          <Empty
            title={say("nowhere")}
            action={
              <Link href="/" className="text-sm underline underline-offset-3">
                {say("nowhere.back")}
              </Link>
            }
          >
            {say("nowhere.hint")}
          </Empty>
        </main>
      </Route>
    </Switch>
  );
}
