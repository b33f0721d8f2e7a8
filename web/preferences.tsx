// What a person chooses for this browser.
import { type Settings, setSettings, useSettings } from "./data/settings.ts";
import { Button, Segments } from "./parts/basics.tsx";
import { Dialog } from "./parts/dialog.tsx";
import { type Language, useLanguage, useSay } from "./texts/index.ts";

export function Preferences({ close }: { close: () => void }) {
  const say = useSay();
  return (
    <Dialog title={say("nav.preferences")} onClose={close}>
      <div className="grid gap-4 px-5 py-4">
        <Choices />
        <div className="flex justify-end">
          <Button onClick={close}>{say("close")}</Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Also on the screen of the settings. */
export function Choices() {
  const say = useSay();
  const language = useLanguage();
  const { theme, singleKeys } = useSettings();
  return (
    <>
      <Choice text={say("pref.language")}>
        <Segments<Language>
          label={say("pref.language")}
          value={language}
          of={[
            { value: "ko", text: "한국어" },
            { value: "en", text: "English" },
          ]}
          onChange={(value) => setSettings({ language: value })}
        />
      </Choice>
      <Choice text={say("pref.theme")}>
        <Segments<Settings["theme"]>
          label={say("pref.theme")}
          value={theme}
          of={[
            { value: "light", text: say("pref.light") },
            { value: "dark", text: say("pref.dark") },
            { value: "system", text: say("pref.system") },
          ]}
          onChange={(value) => setSettings({ theme: value })}
        />
      </Choice>
      <Choice text={say("pref.notify")}>
        <NotifySwitch />
      </Choice>
      <Choice text={say("keys.single")}>
        <Segments<"on" | "off">
          label={say("keys.single")}
          value={singleKeys ? "on" : "off"}
          of={[
            { value: "on", text: say("on") },
            { value: "off", text: say("off") },
          ]}
          onChange={(value) => setSettings({ singleKeys: value === "on" })}
        />
      </Choice>
      <p className="text-sm">
        <a href="/api" className="underline underline-offset-3">
          {say("pref.api")}
        </a>
      </p>
    </>
  );
}

/** Asking the browser needs a click of the person. */
export async function askToNotify(): Promise<void> {
  const allowed = "Notification" in globalThis ? await Notification.requestPermission() : "denied";
  setSettings({ notify: allowed === "granted" });
}

// --- internal ---

function Choice({ text, children }: { text: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <span>{text}</span>
      {children}
    </div>
  );
}

function NotifySwitch() {
  const say = useSay();
  const { notify } = useSettings();
  return (
    <Segments<"on" | "off">
      label={say("pref.notify")}
      value={notify ? "on" : "off"}
      of={[
        { value: "on", text: say("on") },
        { value: "off", text: say("off") },
      ]}
      onChange={(value) => {
        if (value === "on") void askToNotify();
        else setSettings({ notify: false });
      }}
    />
  );
}
