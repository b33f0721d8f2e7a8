// The rows in sight of a long list, each where it belongs. Their heights are measured, so a row may
// be as high as it likes.
import type { Virtualizer } from "@tanstack/react-virtual";
import type { ReactNode } from "react";

interface Props {
  readonly virtual: Virtualizer<HTMLDivElement, Element>;
  /** Of each row, where they are items of a list. */
  readonly role?: string;
  readonly className?: string;
  readonly children: (index: number) => ReactNode;
}

export function VirtualRows({ virtual, role, className = "", children }: Props) {
  const list = role === "listitem" ? "list" : undefined;
  return (
    <div className="relative w-full" style={{ height: virtual.getTotalSize() }} role={list}>
      {virtual.getVirtualItems().map(({ index, start }) => (
        <div
          key={index}
          role={role}
          data-index={index}
          ref={virtual.measureElement}
          className={`absolute top-0 left-0 w-full ${className}`}
          style={{ transform: `translateY(${start}px)` }}
        >
          {children(index)}
        </div>
      ))}
    </div>
  );
}
