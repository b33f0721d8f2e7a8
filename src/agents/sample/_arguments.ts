// What follows a word, handed out piece by piece. One complaint a line is enough: it shows how the
// word is used.
import { closest } from "../../core/closest.ts";
import { type Message, msg } from "../../core/messages.ts";
import { type Count, counters, usages } from "./language.ts";
import type { Complain, Statement } from "./_tree.ts";

export class Arguments {
  readonly #line: number;
  readonly #word: Statement["word"];
  /** How many loops are around it. */
  readonly #loops: number;
  readonly #complain: Complain;
  #left: string;
  #refused = false;

  constructor({ word, line, rest }: Statement, loops: number, complain: Complain) {
    this.#line = line;
    this.#word = word;
    this.#loops = loops;
    this.#complain = complain;
    this.#left = rest;
  }

  refuse(complaint?: Message): void {
    const line = this.#line;
    const word = this.#word;
    if (!this.#refused)
      this.#complain(() => complaint ?? msg("sample.bad_use", { line, word, usage: usages[word] }));
    this.#refused = true;
  }

  word(): string {
    const found = this.#next();
    if (found === "") this.refuse();
    return found;
  }

  words(): string[] {
    const found: string[] = [];
    for (let word = this.#next(); word !== ""; word = this.#next()) found.push(word);
    return found;
  }

  count(): Count {
    const found = this.#next();
    const loop = counters.findIndex((name) => found === `{${name}}`);
    if (loop >= 0 && loop < this.#loops) return { loop };
    if (!/^\d{1,9}$/.test(found)) this.refuse();
    return Number(found);
  }

  /** The only one. */
  last(): Count {
    const found = this.count();
    this.over();
    return found;
  }

  /** The rest; without a default there has to be one. */
  text(absent?: string): string {
    const found = this.#left || absent;
    this.#left = "";
    if (found === undefined) this.refuse();
    return found ?? "";
  }

  /** The rest, cut at each `|` that is not escaped. */
  cells(): string[] {
    const left = this.text();
    const cells = left.startsWith("|") ? [] : (left.match(/(?:\\.|[^\\|]|\\$)+/g) ?? []);
    return cells.map((cell) => cell.trim()).filter((cell) => cell !== "");
  }

  oneOf<T extends string>(allowed: readonly [T, ...T[]]): T {
    const value = this.#next();
    const found = allowed.find((name) => name === value);
    if (found === undefined) this.refuse(this.#notAllowed(value, allowed));
    return found ?? allowed[0];
  }

  over(): void {
    if (this.#left !== "") this.refuse();
  }

  // --- internal ---

  #next(): string {
    const [found = ""] = /^\S+/.exec(this.#left) ?? [];
    this.#left = this.#left.slice(found.length).trimStart();
    return found;
  }

  #notAllowed(value: string, allowed: readonly string[]): Message {
    const near = closest(value, allowed);
    const list = allowed.join(", ");
    const all = { line: this.#line, word: this.#word, value: value.slice(0, 80), allowed: list };
    return near === undefined
      ? msg("sample.bad_choice", all)
      : msg("sample.misspelt_choice", { ...all, near });
  }
}
