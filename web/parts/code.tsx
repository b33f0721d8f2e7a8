// A line of code with its colours, once they are there: the text itself never waits for them.
import { useEffect, useState } from "react";
import type { Highlight } from "./highlight.ts";

/** More than this is text only: nobody reads so much for its colours. */
const most = { lines: 3_000, characters: 256 * 1_024 } as const;

/** Undefined while they are fetched, for a file of another kind, and for one that is too long. */
export function useHighlight(
  path: string,
  lines: number,
  characters: number,
): Highlight | undefined {
  const [found, setFound] = useState<{ path: string; of: Highlight | undefined }>();
  const wanted = lines <= most.lines && characters <= most.characters;
  useEffect(() => {
    let left = !wanted;
    if (wanted)
      void import("./highlight.ts").then(({ highlightFor }) => {
        if (!left) setFound({ path, of: highlightFor(path) });
      });
    return () => void (left = true);
  }, [path, wanted]);
  return wanted && found?.path === path ? found.of : undefined;
}

export function Code({ text, highlight }: { text: string; highlight: Highlight | undefined }) {
  if (highlight === undefined) return text;
  return highlight(text).map((piece, place) =>
    piece.kind === null ? (
      piece.text
    ) : (
      <span key={place} className={`code-${piece.kind}`}>
        {piece.text}
      </span>
    ),
  );
}

/** A whole file, not to be commented on. */
export function CodeFile({ path, text }: { path: string; text: string }) {
  const lines = text.split("\n");
  // All of its lines are there at once, not only those in sight: half as many will do.
  const highlight = useHighlight(path, lines.length * 2, text.length);
  return (
    <pre className="text-code whitespace-pre-wrap">
      {highlight === undefined
        ? text
        : lines.map((line, place) => (
            <span key={place}>
              <Code text={line} highlight={highlight} />
              {"\n"}
            </span>
          ))}
    </pre>
  );
}
