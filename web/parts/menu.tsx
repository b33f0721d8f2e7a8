// A menu behind a button. Radix gives it its keys and roles; wrapped, so that it can be replaced.
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";

export interface MenuItem {
  readonly key: string;
  readonly text: ReactNode;
  /** Why it can not be chosen now. */
  readonly refused?: string | undefined;
  readonly danger?: boolean;
  readonly run: () => void;
}

export function Menu(props: { label: string; items: readonly MenuItem[]; children: ReactNode }) {
  return (
    // Not modal: a modal one would write a style of its own to stop the page from scrolling.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        aria-label={props.label}
        className="grid size-8 place-items-center rounded-control border border-line bg-surface text-muted hover:bg-sunken hover:text-text max-sm:size-11"
      >
        {props.children}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          className="z-50 max-w-72 min-w-48 rounded-card border border-line bg-surface p-1 shadow-lg"
        >
          {props.items.map(({ key, text, refused, danger, run }) => (
            <DropdownMenu.Item
              key={key}
              disabled={refused !== undefined}
              onSelect={run}
              className={`cursor-pointer rounded-control px-2.5 py-1.5 text-sm outline-none data-disabled:cursor-default data-disabled:text-muted data-highlighted:bg-sunken ${danger === true ? "text-fail" : ""}`}
            >
              {text}
              {refused === undefined ? null : <p className="text-xs text-muted">{refused}</p>}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
