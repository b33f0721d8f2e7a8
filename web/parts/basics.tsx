// Buttons, key caps and the like: small enough that their look is their whole meaning.
import type { ComponentProps, ReactNode } from "react";
import { keyName } from "../keys.ts";
import { useLive } from "../data/live.ts";
import { useSay } from "../texts/index.ts";

type Look = "plain" | "primary" | "quiet" | "danger";

const looks: Readonly<Record<Look, string>> = {
  plain: "border-line bg-surface text-text enabled:hover:bg-sunken",
  primary: "border-ink bg-ink text-on-ink font-medium enabled:hover:opacity-90",
  quiet:
    "border-transparent bg-transparent text-muted enabled:hover:bg-sunken enabled:hover:text-text",
  danger: "border-line bg-surface text-fail enabled:hover:bg-fail-tint",
};

const shape =
  "inline-flex min-h-8 max-sm:min-h-11 items-center justify-center gap-1.5 rounded-control border px-2.5 text-sm whitespace-nowrap transition-colors duration-100 disabled:opacity-50";

export interface ButtonProps extends Omit<ComponentProps<"button">, "type"> {
  readonly look?: Look;
  readonly hint?: string;
}

export function Button({ look = "plain", hint, className = "", children, ...rest }: ButtonProps) {
  return (
    <button type="button" className={`${shape} ${looks[look]} ${className}`} {...rest}>
      {children}
      {hint === undefined ? null : <Kbd of={hint} on={look === "primary" ? "ink" : "surface"} />}
    </button>
  );
}

/** What changes something on the server: without a connection it says so and waits. */
export function Act({ disabled = false, title, ...rest }: ButtonProps) {
  const say = useSay();
  const { status } = useLive();
  const cut = status === "offline";
  return (
    <Button {...rest} disabled={disabled || cut} title={cut ? say("offline.no_actions") : title} />
  );
}

export function Kbd({ of, on = "surface" }: { of: string; on?: "surface" | "ink" }) {
  const look = on === "ink" ? "border-current/50" : "border-line bg-surface text-muted";
  return (
    <kbd
      className={`rounded-[4px] border border-b-2 px-1.5 py-0.5 text-[11px] leading-none font-medium max-sm:hidden ${look}`}
      aria-hidden="true"
    >
      {keyName(of)}
    </kbd>
  );
}

export function Chip({ on, children, ...rest }: ComponentProps<"button"> & { on: boolean }) {
  return (
    <button
      type="button"
      aria-pressed={on}
      className="inline-flex min-h-7 items-center gap-1.5 rounded-full border border-line bg-surface px-2.5 text-xs whitespace-nowrap text-muted hover:text-text aria-pressed:border-ink aria-pressed:bg-ink aria-pressed:text-on-ink max-sm:min-h-9"
      {...rest}
    >
      {children}
    </button>
  );
}

/** Two or three ways to look at one thing. */
export function Segments<T extends string>(props: {
  readonly label: string;
  readonly value: T;
  readonly of: readonly { readonly value: T; readonly text: ReactNode }[];
  readonly onChange: (value: T) => void;
}) {
  return (
    <div
      role="group"
      aria-label={props.label}
      className="inline-flex overflow-hidden rounded-control border border-line bg-surface text-xs"
    >
      {props.of.map(({ value, text }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === props.value}
          onClick={() => props.onChange(value)}
          className="min-h-7 px-2.5 whitespace-nowrap text-muted hover:text-text aria-pressed:bg-sunken aria-pressed:font-medium aria-pressed:text-text max-sm:min-h-9"
        >
          {text}
        </button>
      ))}
    </div>
  );
}

export function Heading({ children }: { children: ReactNode }) {
  return <h3 className="mb-1.5 text-xs font-semibold text-muted">{children}</h3>;
}

/** Read out, not shown. */
export function Hidden({ children }: { children: ReactNode }) {
  return <span className="sr-only">{children}</span>;
}
