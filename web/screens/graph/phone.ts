// Is there room for a picture beside the list? Below it the list is the graph.
import { useSyncExternalStore } from "react";

const narrow = matchMedia("(max-width: 759px)");

export function usePhone(): boolean {
  return useSyncExternalStore(
    (listener) => {
      narrow.addEventListener("change", listener);
      return () => narrow.removeEventListener("change", listener);
    },
    () => narrow.matches,
  );
}
