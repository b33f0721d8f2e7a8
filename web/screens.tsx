// The screens of the page, in the order of its menu. To add one: its line here, its texts, and its
// address in src/server/static.ts.
import { type ComponentType } from "react";
import type { IconName } from "./parts/icons.tsx";
import { BoardScreen } from "./screens/board/board.tsx";
import { InboxScreen } from "./screens/inbox/inbox.tsx";
import type { PlainKey } from "./texts/index.ts";
import { later } from "./parts/later.tsx";

export interface Screen {
  readonly path: string;
  readonly component: ComponentType;
  /** Where it stands in the menu; without, it is reached from elsewhere. */
  readonly menu?: {
    readonly text: PlainKey;
    readonly icon: IconName;
    /** Behind G. */
    readonly key: string;
    /** Its own, without G. */
    readonly single?: string;
    /** Where it leads, if its path has a blank. */
    readonly href?: string;
    /** Below the line, with what belongs to all screens. */
    readonly below?: boolean;
    /** Also in the bar of a phone. */
    readonly bar?: boolean;
  };
}

const TaskScreen = later(async () => (await import("./screens/task/screen.tsx")).TaskScreen);

const GraphScreen = later(async () => (await import("./screens/graph/graph.tsx")).GraphScreen);
const MemoryScreen = later(async () => (await import("./screens/memory/memory.tsx")).MemoryScreen);
const ContractsScreen = later(
  async () => (await import("./screens/contracts/contracts.tsx")).ContractsScreen,
);
const MetricsScreen = later(
  async () => (await import("./screens/metrics/metrics.tsx")).MetricsScreen,
);
const NewScreen = later(async () => (await import("./screens/new/new.tsx")).NewScreen);
const EditScreen = later(async () => (await import("./screens/new/edit.tsx")).EditScreen);
const RecallScreen = later(async () => (await import("./screens/recall/recall.tsx")).RecallScreen);
const SettingsScreen = later(
  async () => (await import("./screens/settings/settings.tsx")).SettingsScreen,
);

// oxfmt-ignore
export const screens: readonly Screen[] = [
  { path: "/", component: InboxScreen, menu: { text: "nav.inbox", icon: "inbox", key: "i", bar: true } },
  { path: "/board", component: BoardScreen, menu: { text: "nav.board", icon: "board", key: "b", bar: true } },
  { path: "/g/:run?", component: GraphScreen, menu: { text: "nav.graph", icon: "graph", key: "g", href: "/g" } },
  { path: "/recall", component: RecallScreen, menu: { text: "nav.recall", icon: "book", key: "r" } },
  { path: "/memory", component: MemoryScreen, menu: { text: "nav.memory", icon: "memory", key: "e" } },
  { path: "/contracts", component: ContractsScreen, menu: { text: "nav.contracts", icon: "contract", key: "c" } },
  { path: "/costs", component: MetricsScreen, menu: { text: "nav.metrics", icon: "chart", key: "m" } },
  { path: "/new", component: NewScreen, menu: { text: "nav.new", icon: "plus", key: "n", single: "c", below: true, bar: true } },
  { path: "/settings", component: SettingsScreen, menu: { text: "nav.settings", icon: "gear", key: "s", below: true, bar: true } },
  { path: "/edit/:id", component: EditScreen },
  { path: "/t/:id/:tab?", component: TaskScreen },
];
