// A dialog is the browser's own: it keeps the focus, closes with Esc, and needs no style that the
// page's policy would refuse.
import { type ReactNode, useEffect, useRef } from "react";

export function Dialog(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly wide?: boolean;
  /** The title is for who can not see the dialog. */
  readonly bare?: boolean;
  readonly children: ReactNode;
}) {
  const { title, onClose, bare = false, wide = false } = props;
  const place = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const dialog = place.current;
    if (dialog?.open === false) dialog.showModal();
    // The browser would take the first thing that can be scrolled.
    dialog?.querySelector<HTMLElement>("[data-first]")?.focus();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={place}
      aria-label={title}
      onClose={onClose}
      // The backdrop is the dialog itself, outside of all that is in it.
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) onClose();
      }}
      className={`m-auto mt-[12vh] w-[calc(100vw-24px)] rounded-card border border-line bg-surface p-0 shadow-xl max-sm:mt-[6vh] ${wide ? "max-w-2xl" : "max-w-md"}`}
    >
      <div className="max-h-[76vh] overflow-auto">
        {bare ? null : <h2 className="px-5 pt-4 text-lg font-semibold">{title}</h2>}
        {props.children}
      </div>
    </dialog>
  );
}
