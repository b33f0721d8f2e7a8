// What a user can do is written once: a name, what goes in, what comes out, what it does.
// REST routes, MCP tools and CLI commands are made from these (S7.1); none holds logic of its own.
//
// Each operation's module exports its schemas as functions `input` and `output` beside the operation
// itself. Only the build calls them (scripts/generate/operations.ts): it compiles the input check and
// the JSON Schemas, the bundler drops the functions, and a command starts without loading zod.
import { z } from "zod";
import type { Language, Message } from "../core/messages.ts";
import type { ProjectRow, Store } from "../store/database/store.ts";
import type { Documents } from "../store/documents.ts";
import type { Environment, Home } from "../store/home.ts";
import type { Command } from "../engine/decide/commands.ts";
import type { Answer } from "../engine/decide/world.ts";
import type { LockWorld } from "../store/lock.ts";
import type { Project } from "../store/project.ts";
import type { Outputs } from "./outputs.ts";
import type { Caller } from "./caller.ts";
import type { RunEnd } from "./conduct/run.ts";
import type { Tasks } from "./tasks.ts";

/** What an operation is given besides its input. Each part is opened when it is first asked for. */
export interface Context {
  /** The folder the user is in; relative paths start there. */
  readonly cwd: string;
  readonly env: Environment;
  /** Of what is written for the user to read; a result itself is rendered by its door. */
  readonly language: Language;
  readonly project: Project;
  readonly home: Home;
  /** Raised when the user wants a long operation to end. */
  readonly ended: AbortSignal;
  /** The database; made if there is none yet. */
  store(): Promise<Store>;
  /** The database if there is one: who only looks does not make one. */
  existingStore(): Promise<Store | undefined>;
  /** The same call, for another project. */
  at(root: string): Context;
  /** This project's row; made if there is none yet. */
  projectRow(): Promise<ProjectRow>;
  documents(): Promise<Documents>;
  lockWorld(): Promise<LockWorld>;
  /** Tasks, through whoever owns them: the server, or this process for one tick. */
  tasks(): Promise<Tasks>;
  /** What agents printed and made. */
  outputs(): Promise<Outputs>;
  /** The run this call comes from, as it says; null: from a person, or an agent of theirs. */
  readonly caller: Caller | null;
  /** For a call from inside a run: to whoever owns the task. Undefined: nobody is there now. */
  send(taskId: string, command: Command): Promise<Answer | undefined>;
  /**
   * Carries a run out until it ends, or waits for a person who has to come first. Null: the server
   * we are part of does, and nobody waits for it here.
   */
  carryOut(taskId: string): Promise<RunEnd | null>;
  /** Hands out one part of a result that has no end. */
  emit(part: object): void;
}

export interface Operation<I extends object, O extends object> {
  readonly name: string;
  /** What each input field means: the flag's help, the tool's description. */
  readonly fields: { readonly [F in keyof Required<I>]: Message };
  run(context: Context, input: I): Promise<O>;
}

/** Any operation, where the types of its input and output do not matter. */
export interface AnyOperation {
  readonly name: string;
  readonly fields: Readonly<Record<string, Message>>;
  run(context: Context, input: Record<string, unknown>): Promise<object>;
}

/** In an output: a sentence. Inside it is a Message; every door sends it as a text. */
export const sentence = (): z.ZodType<Message> => z.string() as unknown as z.ZodType<Message>;
