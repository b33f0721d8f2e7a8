// Ctrl K: every task and every screen by a few letters.
import { Command } from "cmdk";
import { useLocation } from "wouter";
import type { Over } from "./app.tsx";
import { useTasks } from "./data/queries.ts";
import { setSettings, settings } from "./data/settings.ts";
import { Dialog } from "./parts/dialog.tsx";
import { Icon } from "./parts/icons.tsx";
import { shownState } from "./parts/state.tsx";
import { screens } from "./screens.tsx";
import { sayWord, useLanguage, useSay } from "./texts/index.ts";

/** More would only be scrolled past. */
const mostTasks = 200;

const item =
  "flex cursor-pointer items-center gap-2.5 rounded-control px-3 py-2 text-sm data-[selected=true]:bg-sunken";

export function Palette({ close, open }: { close: () => void; open: (over: Over) => void }) {
  const say = useSay();
  const [, go] = useLocation();
  const visit = (path: string): void => {
    close();
    go(path);
  };
  return (
    <Dialog title={say("nav.search")} onClose={close} bare wide>
      <Command label={say("nav.search")} loop>
        <Command.Input
          data-first
          placeholder={say("palette.placeholder")}
          className="w-full border-b border-line bg-transparent px-4 py-3 text-base outline-none"
        />
        <Command.List className="max-h-[52vh] overflow-auto p-1.5">
          <Command.Empty className="px-3 py-6 text-center text-sm text-muted">
            {say("palette.none")}
          </Command.Empty>
          <TaskItems visit={visit} />
          {screens.map(({ path, menu }) =>
            menu === undefined ? null : (
              <Command.Item
                key={path}
                value={`${say(menu.text)} ${path}`}
                className={item}
                onSelect={() => visit(menu.href ?? path)}
              >
                <Icon name={menu.icon} className="size-4 text-muted" />
                {say(menu.text)}
              </Command.Item>
            ),
          )}
          <Commands open={open} />
        </Command.List>
      </Command>
    </Dialog>
  );
}

// --- internal ---

function TaskItems({ visit }: { visit: (path: string) => void }) {
  const say = useSay();
  const { data = [] } = useTasks();
  return data.slice(0, mostTasks).map((task) => {
    const { icon, tone, word } = shownState(task);
    return (
      <Command.Item
        key={task.id}
        value={`${task.title} ${task.id}`}
        className={item}
        onSelect={() => visit(`/t/${task.id}`)}
      >
        <span data-tone={tone} className="text-(--fg)">
          <Icon name={icon} />
        </span>
        <span className="min-w-0 flex-1 truncate">{task.title}</span>
        <span className="text-xs text-muted">{sayWord(say, ...word)}</span>
      </Command.Item>
    );
  });
}

function Commands({ open }: { open: (over: Over) => void }) {
  const say = useSay();
  const language = useLanguage();
  const dark = document.documentElement.dataset["theme"] === "dark";
  const all = [
    { text: say("nav.keys"), run: () => open("keys") },
    { text: say("nav.preferences"), run: () => open("preferences") },
    {
      text: dark ? say("palette.light") : say("palette.dark"),
      run: () => (setSettings({ theme: dark ? "light" : "dark" }), open(null)),
    },
    {
      text: language === "ko" ? "English" : "한국어",
      run: () => (setSettings({ language: language === "ko" ? "en" : "ko" }), open(null)),
    },
    {
      text: settings().singleKeys ? say("palette.keys_off") : say("palette.keys_on"),
      run: () => (setSettings({ singleKeys: !settings().singleKeys }), open(null)),
    },
  ];
  return all.map(({ text, run }) => (
    <Command.Item key={text} value={text} className={item} onSelect={run}>
      <Icon name="gear" className="size-4 text-muted" />
      {text}
    </Command.Item>
  ));
}
