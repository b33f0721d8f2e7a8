// The sheet behind `?`: what can be pressed on this screen, now.
import { useState } from "react";
import { setSettings, useSettings } from "./data/settings.ts";
import { boundKeys } from "./keys.ts";
import { Button, Kbd } from "./parts/basics.tsx";
import { Dialog } from "./parts/dialog.tsx";
import { useSay } from "./texts/index.ts";

export function KeySheet({ close }: { close: () => void }) {
  const say = useSay();
  const { singleKeys } = useSettings();
  // As it was when it opened: the dialog itself takes no keys of the screen.
  const [bindings] = useState(boundKeys);
  return (
    <Dialog title={say("keys.title")} onClose={close} wide>
      <ul className="grid grid-cols-2 gap-x-8 px-5 py-3 max-sm:grid-cols-1">
        {bindings.map(({ label, keys }) => (
          <li
            key={label}
            className="flex items-center justify-between gap-3 border-b border-line py-1.5 text-sm"
          >
            {say(label)}
            <span className="flex gap-1">
              {keys.map((key) => (
                <Kbd key={key} of={key} />
              ))}
            </span>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-3 px-5 pb-4 text-sm">
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            checked={singleKeys}
            onChange={({ target }) => setSettings({ singleKeys: target.checked })}
          />
          {say("keys.single")}
        </label>
        <Button onClick={close}>{say("close")}</Button>
      </div>
    </Dialog>
  );
}
