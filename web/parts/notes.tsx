// What a pane says when it has nothing, not yet, or can not: what is so, what is safe, what to do.
import { type ReactNode, Component } from "react";
import { ApiError } from "../data/api.ts";
import { sayNow, useSay } from "../texts/index.ts";
import { Button } from "./basics.tsx";

export function Empty(props: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-2 px-6 py-16 text-center">
      <p className="font-medium">{props.title}</p>
      {props.children === undefined ? null : <p className="text-sm text-muted">{props.children}</p>}
      {props.action}
    </div>
  );
}

/** Of the size of what will be there; only after a moment, so that nothing flickers. */
export function Skeleton({ rows = 3 }: { rows?: number }) {
  const say = useSay();
  return (
    <div className="late grid gap-3 p-4" role="status" aria-label={say("loading")}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="pulse grid gap-2 rounded-card p-2">
          <div className="h-3.5 w-2/3 rounded bg-sunken" />
          <div className="h-3 w-1/3 rounded bg-sunken" />
        </div>
      ))}
    </div>
  );
}

export function ErrorNote({
  error,
  again,
  kept,
}: {
  error: unknown;
  again?: () => void;
  kept?: string;
}) {
  const say = useSay();
  const known = error instanceof ApiError ? error : null;
  const offline = known?.code === "offline";
  return (
    <div
      role="alert"
      data-tone="fail"
      className="grid gap-1 rounded-card bg-(--tint) px-3 py-2 text-sm"
    >
      <p className="font-medium text-(--fg)">
        {offline ? say("error.offline") : (known?.message ?? say("error.unknown"))}
      </p>
      {known?.hint ? <p className="text-muted">{known.hint}</p> : null}
      {kept === undefined ? null : <p>{kept}</p>}
      <p className="flex flex-wrap items-center gap-2 text-xs text-muted">
        {again === undefined ? null : <Button onClick={again}>{say("error.again")}</Button>}
        <span>
          {say("error.code")} <code>{known?.code ?? String(error)}</code>
        </span>
      </p>
    </div>
  );
}

/** One pane fails alone; the rest of the page stays. */
export class Fenced extends Component<{ readonly children: ReactNode }, { thrown: unknown }> {
  override state: { thrown: unknown } = { thrown: undefined };

  static getDerivedStateFromError(thrown: unknown): { thrown: unknown } {
    return { thrown };
  }

  override render(): ReactNode {
    const { thrown } = this.state;
    if (thrown === undefined) return this.props.children;
    const say = sayNow();
    return (
      <div className="p-4">
        <ErrorNote
          error={thrown}
          again={() => this.setState({ thrown: undefined })}
          kept={say("error.drafts_kept")}
        />
      </div>
    );
  }
}
