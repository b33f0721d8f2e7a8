// The documents of a project, live: asked for anew when something happens, and looked at now and then,
// since people edit them by hand and agents in sessions of their own tell nobody.
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "wouter";
import { type Documents, api } from "../../data/api.ts";
import { client } from "../../data/queries.ts";
import { useProject } from "../../parts/project.tsx";
import { useLanguage } from "../../texts/index.ts";

export type Part = "memory" | "contracts";

const lookMs = 2_000;

export function useDocuments(part: Part) {
  const language = useLanguage();
  const { id, ready } = useProject();
  // What the server says of a damaged one is a sentence: it belongs to its language.
  const key = ["documents", part, id ?? "", language];
  return useQuery({
    queryKey: key,
    queryFn: async () => {
      const before = client.getQueryData<Documents>(key);
      const answer = await api.documents({ part, project: id, since: before?.stamp });
      return answer.unchanged && before !== undefined ? before : answer;
    },
    enabled: ready,
    refetchInterval: lookMs,
  });
}

/** What of it is shown stands in the address: a link shows the same to everybody. */
export function useShown() {
  const [params, setParams] = useSearchParams();
  const set = (name: string, value: string | null): void =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (name === "project") next.delete("show");
        if (value === null) next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return {
    shown: params.get("show"),
    show: (key: string | null) => set("show", key),
    pickProject: (id: string) => set("project", id),
  };
}
