// Who needs whom, asked of a state. One step asks for a unit or two, and of 10,000 the dependencies are
// most of the file: so it looks for them in the text where nobody has read it yet (formats/late.ts), and
// reads it all once it is asked for many.
import { type Late, lateAt } from "../../formats/late.ts";
import type { OrchestrateState } from "../../formats/orchestrate-state.ts";

export class Needs {
  readonly #state: Pick<OrchestrateState, "dependencies">;
  readonly #late: Late | undefined;
  #asked = 0;
  #neededBy: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(state: Pick<OrchestrateState, "dependencies">) {
    this.#state = state;
    this.#late = lateAt(state, "dependencies");
  }

  /** What this unit needs. */
  of(id: string): readonly string[] {
    const text = this.#unread();
    if (text) return neededIn(text, id);
    const { dependencies } = this.#state;
    return (Object.hasOwn(dependencies, id) ? dependencies[id] : undefined) ?? none;
  }

  /** Those that need it. */
  by(id: string): readonly string[] {
    const text = this.#unread();
    if (text) return needingIn(text, id);
    this.#neededBy ??= turned(this.#state.dependencies);
    return this.#neededBy.get(id) ?? none;
  }

  #unread(): Late | undefined {
    return this.#late?.isRead === false && ++this.#asked <= mostAsked ? this.#late : undefined;
  }
}

// --- internal ---

const none: readonly string[] = [];

/** Each reads half of the text or more; to parse it takes as long as so many. */
const mostAsked = 24;

/** An id needs no escape, so that it stands in the text as it is. */
function neededIn({ bytes, indent }: Late, id: string): readonly string[] {
  const head = `\n${indent.repeat(2)}"${id}": [`;
  const at = bytes.indexOf(head);
  if (at < 0) return none;
  const begin = at + head.length - 1;
  return JSON.parse(bytes.toString("utf8", begin, bytes.indexOf("]", begin) + 1)) as string[];
}

function needingIn({ bytes, indent }: Late, id: string): readonly string[] {
  const line = `\n${indent.repeat(3)}"${id}"`;
  const key = `\n${indent.repeat(2)}"`;
  const found = new Set<string>();
  for (let at = bytes.indexOf(line); at >= 0; at = bytes.indexOf(line, at + line.length)) {
    const name = bytes.lastIndexOf(key, at) + key.length;
    found.add(bytes.toString("utf8", name, bytes.indexOf('"', name)));
  }
  return [...found];
}

function turned(dependencies: OrchestrateState["dependencies"]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const id of Object.keys(dependencies))
    for (const needed of new Set(dependencies[id])) {
      const known = found.get(needed);
      if (known === undefined) found.set(needed, [id]);
      else known.push(id);
    }
  return found;
}
