// Where on the page a document is shown, by its path.

/** Undefined: nowhere, its screen does not show it. */
export function addressOf(path: string, project: string | undefined): string | undefined {
  const found = screenOf(path);
  if (found === undefined) return undefined;
  const [screen, show] = found;
  const query = new URLSearchParams({ ...(project === undefined ? {} : { project }), show });
  return `${screen}?${query.toString()}`;
}

// --- internal ---

function screenOf(path: string): readonly [screen: string, show: string] | undefined {
  const [, memory] = /^\.claude\/memory\/(.+)\.json$/.exec(path) ?? [];
  if (memory !== undefined) {
    const [, agent] = /^agents\/([^/]+)$/.exec(memory) ?? [];
    const show = agent === undefined ? shown[memory] : `agent ${agent}`;
    return show === undefined ? undefined : ["/memory", show];
  }
  if (path.startsWith(".claude/orchestrator/knowledge/")) return ["/contracts", "knowledge"];
  const [, hash, rest] =
    /^\.claude\/orchestrator\/sessions\/([^/]+)\/contracts\/(.+)\/[^/]+$/.exec(path) ?? [];
  if (hash === undefined || rest === undefined) return undefined;
  // The request, and of its task and subtask the innermost: both are named by their id alone.
  const [request = "", ...units] = rest.split("/");
  return ["/contracts", [hash, request, ...units.slice(-1)].join(" ")];
}

const shown: Readonly<Record<string, string>> = {
  "task-state": "plan",
  "shared-context": "context",
  "task-history": "history",
};
