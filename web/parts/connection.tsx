// The thin bar of a lost connection: since when, and that it comes back by itself.
import { useLive } from "../data/live.ts";
import { useLanguage, useSay } from "../texts/index.ts";
import { exactTime } from "./figures.tsx";

export function ConnectionBar() {
  const say = useSay();
  const language = useLanguage();
  const { status, asOf, caughtUp } = useLive();
  const text =
    status === "offline"
      ? say("offline.bar", { time: exactTime(asOf, language) })
      : caughtUp === null
        ? ""
        : say("offline.back", { count: caughtUp });
  return (
    <div role="status" aria-live="polite">
      {text === "" ? null : (
        <p
          data-tone={status === "offline" ? "fail" : "done"}
          className="bg-(--tint) px-4 py-1 text-center text-xs font-medium text-(--fg)"
        >
          {text}
        </p>
      )}
    </div>
  );
}
