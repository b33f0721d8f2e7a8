// The menu: a column beside the screen, icons where it is narrow, a bar below it on a phone.
import type { ReactNode } from "react";
import { Link, useRoute } from "wouter";
import type { Over } from "./app.tsx";
import { useLive } from "./data/live.ts";
import { useInbox, useServer, useTasks } from "./data/queries.ts";
import { Kbd } from "./parts/basics.tsx";
import { moneyText } from "./parts/figures.tsx";
import { Brand, Icon, type IconName } from "./parts/icons.tsx";
import { type Screen, screens } from "./screens.tsx";
import { useSay } from "./texts/index.ts";

const row =
  "flex h-[34px] w-full items-center gap-2.5 rounded-[7px] px-2 text-muted hover:bg-sunken hover:text-text aria-[current=page]:bg-sunken aria-[current=page]:font-medium aria-[current=page]:text-text max-lg:justify-center max-lg:px-0";

export function Rail({ open }: { open: (over: Over) => void }) {
  const say = useSay();
  return (
    <nav
      aria-label={say("nav.label")}
      className="flex min-h-0 flex-col gap-0.5 overflow-y-auto border-r border-line px-2.5 py-3.5 max-sm:hidden"
    >
      <div className="flex items-center gap-2 px-2 pb-3.5 text-[15px] font-semibold max-lg:justify-center max-lg:px-0">
        <Brand />
        <span className="max-lg:sr-only">Holdfast</span>
      </div>
      {screens.map((screen) =>
        screen.menu?.below === true ? null : <RailLink key={screen.path} screen={screen} />,
      )}
      <hr className="mx-2 my-2.5 border-line" />
      <RailButton icon="search" text={say("nav.search")} hint="mod+k" run={() => open("palette")} />
      {screens.map((screen) =>
        screen.menu?.below === true ? <RailLink key={screen.path} screen={screen} /> : null,
      )}
      <RailButton icon="question" text={say("nav.keys")} hint="?" run={() => open("keys")} />
      <Foot />
    </nav>
  );
}

export function BottomBar({ open }: { open: (over: Over) => void }) {
  const say = useSay();
  const item =
    "relative grid min-h-14 flex-1 justify-items-center content-center gap-0.5 text-xs text-muted aria-[current=page]:text-text aria-[current=page]:font-medium";
  return (
    <nav aria-label={say("nav.label")} className="flex border-t border-line bg-surface sm:hidden">
      {screens.map((screen) =>
        screen.menu?.bar === true ? (
          <BarLink key={screen.path} screen={screen} className={item} />
        ) : null,
      )}
      <button type="button" className={item} onClick={() => open("palette")}>
        <Icon name="search" className="size-5" />
        {say("nav.search")}
      </button>
    </nav>
  );
}

// --- internal ---

function RailLink({ screen }: { screen: Screen }) {
  const say = useSay();
  const [here] = useRoute(screen.path);
  if (screen.menu === undefined) return null;
  const { icon, text } = screen.menu;
  return (
    <Link
      href={screen.menu.href ?? screen.path}
      className={row}
      aria-current={here ? "page" : undefined}
      title={say(text)}
    >
      <Icon name={icon} />
      <span className="max-lg:sr-only">{say(text)}</span>
      <Count of={screen.path} />
      {screen.menu.single === undefined ? null : (
        <span className="ml-auto max-lg:hidden">
          <Kbd of={screen.menu.single} />
        </span>
      )}
    </Link>
  );
}

function BarLink({ screen, className }: { screen: Screen; className: string }) {
  const say = useSay();
  const [here] = useRoute(screen.path);
  if (screen.menu === undefined) return null;
  return (
    <Link
      href={screen.menu.href ?? screen.path}
      className={className}
      aria-current={here ? "page" : undefined}
    >
      <Icon name={screen.menu.icon} className="size-5" />
      <span className="flex items-center gap-1">
        {say(screen.menu.text)}
        {screen.path === "/" ? <Count of="/" bar /> : null}
      </span>
    </Link>
  );
}

function RailButton(props: { icon: IconName; text: ReactNode; hint?: string; run: () => void }) {
  return (
    <button type="button" className={row} onClick={props.run}>
      <Icon name={props.icon} />
      <span className="max-lg:sr-only">{props.text}</span>
      {props.hint === undefined ? null : (
        <span className="ml-auto max-lg:hidden">
          <Kbd of={props.hint} />
        </span>
      )}
    </button>
  );
}

/** Amber only where somebody is waited for. */
function Count({ of, bar = false }: { of: string; bar?: boolean }) {
  const inbox = useInbox();
  const tasks = useTasks();
  if (of === "/board")
    return <span className="ml-auto text-xs max-lg:hidden">{tasks.data?.length ?? ""}</span>;
  const count = inbox.data?.items.length ?? 0;
  if (of !== "/" || count === 0) return null;
  const place = bar ? "" : "ml-auto max-lg:absolute max-lg:translate-x-3 max-lg:-translate-y-2.5";
  return (
    <span className={`rounded-full bg-you-tint px-[7px] text-xs font-semibold text-you ${place}`}>
      {count}
    </span>
  );
}

function Foot() {
  const say = useSay();
  const { data } = useServer();
  const { status } = useLive();
  return (
    <div className="live-value mt-auto grid gap-1.5 px-2 pt-4 text-xs text-muted max-lg:hidden">
      {data === undefined ? null : (
        <>
          <span>
            {say("rail.agents", { used: data.slots.used, total: data.slots.total })} ·{" "}
            {say("rail.today", { cost: moneyText(data.today.costUsd) })}
          </span>
          <Slots used={data.slots.used} total={data.slots.total} />
        </>
      )}
      <span className="flex items-center gap-2 whitespace-nowrap">
        <i className={`size-[7px] rounded-full ${status === "live" ? "bg-done" : "bg-fail"}`} />
        {say(`live.${status}`)}
      </span>
    </div>
  );
}

function Slots({ used, total }: { used: number; total: number }) {
  const shown = Math.min(total, 12);
  return (
    <div className="flex gap-[3px]" aria-hidden="true">
      {Array.from({ length: shown }, (_, place) => (
        <b
          key={place}
          className={`h-[5px] flex-1 rounded-[3px] ${place < used ? "bg-work" : "bg-line"}`}
        />
      ))}
    </div>
  );
}
