// Fields that know Korean input: while a syllable is being made, Enter ends the syllable. In a field
// of one line the same press then sends, once; in a field of several lines Enter never sends.
import { type ComponentProps, useEffect, useRef } from "react";

const look =
  "w-full min-w-0 rounded-control border border-strong bg-surface px-2.5 text-sm text-text focus-visible:outline-offset-0";

interface LineProps extends Omit<ComponentProps<"input">, "onChange" | "onSubmit" | "value"> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onSubmit?: (value: string) => void;
}

export function LineField({ value, onChange, onSubmit, className = "", ...rest }: LineProps) {
  const due = useRef(false);
  return (
    <input
      {...rest}
      value={value}
      className={`${look} min-h-8 max-sm:min-h-11 ${className}`}
      onChange={({ target }) => onChange(target.value)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || onSubmit === undefined) return;
        // Chromium and Firefox: still composing, the end comes next. Safari: it came already.
        if (event.nativeEvent.isComposing) due.current = true;
        else {
          event.preventDefault();
          onSubmit(event.currentTarget.value);
        }
      }}
      onCompositionEnd={({ currentTarget }) => {
        if (!due.current) return;
        due.current = false;
        // Behind the change event that carries the finished syllable.
        setTimeout(() => onSubmit?.(currentTarget.value), 0);
      }}
    />
  );
}

interface AreaProps extends Omit<ComponentProps<"textarea">, "onChange" | "onSubmit" | "value"> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Ctrl or ⌘ with Enter. */
  readonly onSubmit?: () => void;
}

/** As high as its text, up to a limit. */
export function AreaField({ value, onChange, onSubmit, className = "", ...rest }: AreaProps) {
  const place = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const area = place.current;
    if (area === null) return;
    area.style.height = "auto";
    area.style.height = `${Math.min(area.scrollHeight + 2, 320)}px`;
  }, [value]);
  return (
    <textarea
      ref={place}
      rows={2}
      {...rest}
      value={value}
      className={`${look} resize-none py-1.5 ${className}`}
      onChange={({ target }) => onChange(target.value)}
      onKeyDown={(event) => {
        const wanted = event.key === "Enter" && (event.ctrlKey || event.metaKey);
        if (!wanted || event.nativeEvent.isComposing) return;
        event.preventDefault();
        event.stopPropagation();
        onSubmit?.();
      }}
    />
  );
}
