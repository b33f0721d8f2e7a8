// The agent's processes as the engine wants them: started once, told what was committed, and
// running, frozen or gone as the agent's status says.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Adapter, Reader, Start } from "../agents/adapters/adapter.ts";
import { type Programs, adapterOf } from "../agents/adapters/adapters.ts";
import { agentEnvironment } from "../agents/environment.ts";
import { Fault } from "../core/errors.ts";
import { type RunState, runFolder } from "../agents/run.ts";
import { readOutput, watch, writeInput } from "../agents/streams.ts";
import type { Supervisor } from "../agents/supervisor.ts";
import { requireSafeId } from "../core/ids.ts";
import { variableOf } from "../core/variable.ts";
import type { Store } from "../store/database/store.ts";
import { agentFolder, copyFolder } from "./_effect-remove.ts";
import type { Live } from "./_live.ts";
import type { ReaderSeal } from "./output-secrets.ts";
import type { EffectResult } from "./inputs.ts";
import type { Kinds } from "./state.ts";

export interface ProcessesParts {
  readonly home: string;
  readonly store: Store;
  readonly supervisor: Supervisor;
  readonly programs: Programs;
  /** Our own environment; an agent gets the allowed part of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly rootOf: (projectId: string) => Promise<string>;
  /** The values that were provided for the task, opened. */
  readonly valuesOf: (taskId: string) => Promise<Readonly<Record<string, string>>>;
  readonly readers: ReaderSeal;
  /** What a process shows to speak for itself. */
  readonly proofOf: (process: string) => Promise<string>;
  readonly graceMs: number;
}

const done: EffectResult = { kind: "done" };

export class Processes {
  readonly #parts: ProcessesParts;

  constructor(parts: ProcessesParts) {
    this.#parts = parts;
  }

  async start(live: Live, processId: string): Promise<EffectResult> {
    const process = live.state.entities.process.get(processId);
    const agent = process && live.state.entities.agent.get(process.data.agentId);
    if (process === undefined || agent === undefined || process.status !== "starting") return done;
    const { home, supervisor, env, rootOf, valuesOf } = this.#parts;
    const folder = runFolder(home, processId);
    // Begun before we died: it is there, whatever was wanted since.
    const begun = (await supervisor.look(folder)).state !== "absent";
    if (!begun && (agent.status !== "running" || process.data.wanted))
      return { kind: "not_started", process: processId };
    await this.#alone(live, agent.id, processId);
    const { task } = live.state;
    const start = this.#startOf(live, agent, process);
    const adapter = this.#adapter(agent);
    const { command, env: extra } = adapter.command(start);
    const root = await rootOf(task.projectId);
    const proof = await this.#parts.proofOf(processId);
    const verifies = agent.data.role === "verifier";
    const values = verifies ? {} : provided(live, start.home, await valuesOf(task.id));
    await supervisor.start({
      run: processId,
      folder,
      command,
      cwd: start.cwd,
      env: agentEnvironment(
        env,
        { run: processId, home, root, proof },
        { ...task.data.order?.env, ...extra, ...values },
        adapter.inherits,
      ),
    });
    if (adapter.opening) await writeInput(folder, 0, adapter.opening(start));
    return { kind: "started", process: processId };
  }

  /** `at` counts from behind the handshake, where the agent wants one. */
  async write(live: Live, processId: string, at: number, text: string): Promise<EffectResult> {
    const folder = runFolder(this.#parts.home, processId);
    // Gone with all it was told: the next process is told again.
    const { state } = await this.#parts.supervisor.look(folder);
    if (state === "absent" || state === "ended") return done;
    const process = live.state.entities.process.get(processId);
    const agent = process && live.state.entities.agent.get(process.data.agentId);
    const opening = agent && this.#adapter(agent).opening?.(this.#startOf(live, agent, process));
    const before = opening?.length ?? 0;
    try {
      await writeInput(folder, before + at, Buffer.from(text, "utf8"));
    } catch (cause) {
      // It has ended since we looked, or is about to: as above.
      if (!(cause instanceof Fault) || cause.text.key !== "run.input_closed") throw cause;
    }
    return done;
  }

  /** Makes the process what the agent's status asks for; asked twice, it is that already. */
  async settle(live: Live, agentId: string): Promise<EffectResult> {
    const agent = live.state.entities.agent.get(agentId);
    const process = live.state.entities.process.get(agent?.data.process ?? "");
    if (agent === undefined || process === undefined || process.status === "ended") return done;
    const { supervisor, store } = this.#parts;
    const over = agent.status === "completed" || agent.status === "failed";
    if (over || process.data.wanted) return this.end(process.id);
    // One that is to run and has no slot (its verifier has it) stands still like the others.
    if (agent.status === "running" && agent.data.slot) {
      await supervisor.thaw(process.id);
      return done;
    }
    // No reporter may be stopped inside a transaction: the stops are sent under the write lock.
    const found = await supervisor.freeze(process.id, {
      around: async (stop) => {
        await store.commit({
          guard: () => {
            stop();
            return true;
          },
        });
      },
    });
    if (!found.verified) throw new Error(`${process.id} could not be stopped`);
    return done;
  }

  /** With all it started; one that ended by itself may have left a tool behind, or its own holder frozen. */
  async end(processId: string): Promise<EffectResult> {
    const { supervisor, graceMs } = this.#parts;
    const found = await supervisor.end(processId, { graceMs });
    if (!found.verified) throw new Error(`${processId} could not be ended`);
    return done;
  }

  look(processId: string): Promise<RunState> {
    return this.#parts.supervisor.look(runFolder(this.#parts.home, processId));
  }

  async read(processId: string, offset: number, most: number): Promise<Uint8Array> {
    return (await readOutput(runFolder(this.#parts.home, processId), "out", offset, most)).bytes;
  }

  watch(processId: string, wake: () => void): () => void {
    return watch(runFolder(this.#parts.home, processId), wake);
  }

  readerFor(agent: Kinds["agent"], { data }: Kinds["process"]): Reader {
    const { reader, token } = data;
    const resume = reader === null ? undefined : this.#parts.readers.open(agent.taskId, reader);
    return this.#adapter(agent).reader({ resume, token: token ?? undefined });
  }

  // --- internal ---

  /** Two processes that write into one conversation tear it apart: the former must be seen to be gone. */
  async #alone(live: Live, agentId: string, processId: string): Promise<void> {
    for (const { id, data } of live.state.entities.process.values()) {
      if (data.agentId !== agentId || id === processId) continue;
      const { state } = await this.#parts.supervisor.look(runFolder(this.#parts.home, id));
      if (state === "starting" || state === "running")
        throw new Error(`${id} lives: ${processId} is not started beside it`);
    }
  }

  #startOf(live: Live, agent: Kinds["agent"], process: Kinds["process"]): Start {
    const { task, entities } = live.state;
    const { home } = this.#parts;
    const verifies = agent.data.role === "verifier";
    const cwd = verifies ? copyFolder(home, agent.id) : task.data.workspace?.folder;
    if (cwd === undefined) throw new Error(`${task.id} has no workspace yet`);
    const own = this.#homeOf(agent, task.data.script);
    const looks = [...entities.agent.values()].filter(({ data }) => data.name === agent.data.name);
    return {
      session: agent.data.session,
      named: agent.data.named ?? undefined,
      resume: process.data.resume,
      cwd,
      permissions: verifies ? "read-only" : task.data.document?.type.permissions,
      ...(verifies ? { role: "verifier", look: looks.length } : {}),
      language: task.data.language,
      home: own.folder,
      output: join(runFolder(home, process.id), "out"),
      token: process.data.token ?? undefined,
      ...(own.script === undefined ? {} : { script: own.script }),
    };
  }

  #adapter(agent: Kinds["agent"]): Adapter {
    return adapterOf(agent.data.adapter, this.#parts.programs);
  }

  /** The agent's own folder, the same for each of its processes; with the script it plays. */
  #homeOf(agent: Kinds["agent"], script: string | null): { folder: string; script?: string } {
    const folder = agentFolder(this.#parts.home, agent.id);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (script === null) return { folder };
    const file = join(folder, "script");
    writeFileSync(file, script, { mode: 0o600 });
    return { folder, script: file };
  }
}

// --- internal ---

/** Each by its variable; a file is one again for its agent, and the variable holds its path (S1.15). */
function provided(
  live: Live,
  folder: string,
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  const given = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [variableOf(name), value]),
  );
  for (const { data } of live.state.entities.dependency.values()) {
    const variable = variableOf(data.name);
    if (data.value !== undefined) given[variable] = data.value;
    const value = values[data.name];
    if (data.type !== "file" || value === undefined) continue;
    const place = join(folder, "files");
    mkdirSync(place, { recursive: true, mode: 0o700 });
    const path = join(place, requireSafeId(variable));
    const bytes = Buffer.from(value, data.encoded === true ? "base64" : "utf8");
    writeFileSync(path, bytes, { mode: 0o600 });
    given[variable] = path;
  }
  return given;
}
