// Every machine against a matrix written by hand from the SPEC and the seeds, a model run with
// chance events, and its guarantees broken one by one. The matrices: test/fixtures/machines.
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Fault } from "../errors.ts";
import { type Machine, type MachineTypes, type Row, STAY, defineMachine } from "../machine.ts";
import { type Message, languages, render } from "../messages.ts";
import { machines } from "./index.ts";
import { machineDocs, machineDocsPath } from "../../../scripts/write-machine-docs.ts";
import type { Fixture } from "../../../test/fixtures/machines/fixture.ts";
import { deviations } from "../../../test/fixtures/machines/matrix.ts";
import { agentFixture } from "../../../test/fixtures/machines/agent.ts";
import { checkpointFixture } from "../../../test/fixtures/machines/checkpoint.ts";
import { developPhaseFixture } from "../../../test/fixtures/machines/develop-phase.ts";
import { planStepFixture } from "../../../test/fixtures/machines/plan-step.ts";
import { planTaskFixture } from "../../../test/fixtures/machines/plan-task.ts";
import { requestFixture } from "../../../test/fixtures/machines/request.ts";
import { subtaskFixture } from "../../../test/fixtures/machines/subtask.ts";
import { taskFixture } from "../../../test/fixtures/machines/task.ts";
import { unitFixture } from "../../../test/fixtures/machines/unit.ts";

const walked: string[] = [];
walk(taskFixture);
walk(agentFixture);
walk(developPhaseFixture);
walk(checkpointFixture);
walk(unitFixture);
walk(planTaskFixture);
walk(planStepFixture);
walk(requestFixture);
walk(subtaskFixture);

test("every machine is walked here, and no name is used twice", () => {
  expect(walked).toEqual(machines.map((machine) => machine.name));
  expect(new Set(walked).size).toBe(walked.length);
});

test("docs/machines.md is what the machines say now", () => {
  expect(readFileSync(machineDocsPath, "utf8")).toBe(machineDocs());
});

function walk<T extends MachineTypes>(fixture: Fixture<T>): void {
  const { machine, spec } = fixture;
  walked.push(machine.name);
  const about = `${spec} ${machine.name}:`;
  test(`${about} every pair of state and event does what the matrix says, reasons and effects included`, () => {
    expect(deviations(fixture, machine)).toEqual([]);
  });

  test(`${about} guards of one pair exclude each other: the order of the rows decides nothing`, () => {
    const turned = remade(machine, machine.rows.toReversed());
    // Reasons come in row order, so only what is taken is compared.
    expect(deviations(fixture, turned).filter((line) => line.includes("->"))).toEqual([]);
  });

  test(`${about} the matrix notices each row that is dropped, unguarded, bent or stripped`, () => {
    const unnoticed = mutants(machine).filter(
      ({ rows, event }) => deviations(fixture, remade(machine, rows), [event]).length === 0,
    );
    expect(unnoticed.map(({ what }) => what)).toEqual([]);
  });

  test(`${about} chance events never lead astray, explain() agrees with step(), every row is taken`, () => {
    const taken = modelRun(fixture);
    const untaken = machine.rows.filter((row) => !taken.has(row));
    expect(untaken.map(named)).toEqual([]);
  });

  test(`${about} each broken guarantee is a corrupt fault that names the rule and the record`, () => {
    const states: readonly T["state"][] = machine.states;
    for (const state of states) {
      const { valid, broken } = fixture.records[state];
      expect(machine.stateOf(valid)).toBe(state);
      machine.assertInvariants(valid, "x1");
      const rules = machine.guarantees[state].map(({ rule }) => rule);
      expect(Object.keys(broken)).toEqual(rules.map((rule) => rule.key));
      for (const rule of rules) {
        const fault = thrown(() =>
          machine.assertInvariants({ ...valid, ...broken[rule.key] }, "x1"),
        );
        expect(fault.code).toBe("corrupt");
        expect(fault.text.params).toMatchObject({ rule, state, id: " x1" });
        for (const language of languages)
          expect(render(language, fault.text)).toContain(render(language, rule));
      }
    }
  });
}

// --- mutants ---

function remade<T extends MachineTypes>(machine: Machine<T>, rows: readonly Row<T>[]): Machine<T> {
  return defineMachine<T>({ ...machine, rows });
}

/** Small faults, each of which a good matrix must notice. */
function mutants<T extends MachineTypes>(machine: Machine<T>) {
  return machine.rows.flatMap((row, at) => {
    const others = machine.rows.toSpliced(at, 1);
    const { when, needs, effects = [], ...bare } = row;
    const guards = { ...(when && { when }), ...(needs && { needs }) };
    const variants: { what: string; rows: readonly Row<T>[] }[] = [
      { what: "dropped", rows: others },
    ];
    // Put first, so that a row that comes last can not hide behind the guards before it.
    if (when)
      variants.push({
        what: "unguarded",
        rows: [{ ...bare, ...(needs && { needs }), effects }, ...others],
      });
    if (needs)
      variants.push({
        what: "needs nothing",
        rows: [{ ...bare, ...(when && { when }), effects }, ...others],
      });
    for (const to of [...machine.states, STAY] as const)
      if (to !== row.to && !(row.to === STAY && [row.from].flat().length === 1 && to === row.from))
        variants.push({ what: `bent to ${to}`, rows: machine.rows.with(at, { ...row, to }) });
    for (const lost of effects)
      variants.push({
        what: `stripped of ${lost}`,
        rows: machine.rows.with(at, {
          ...bare,
          ...guards,
          effects: effects.filter((e) => e !== lost),
        }),
      });
    for (const state of machine.states)
      if (![row.from].flat().includes(state) && machine.rowsFor(state, row.on).length === 0)
        variants.push({
          what: `also from ${state}`,
          rows: [...machine.rows, { ...row, from: state }],
        });
    return variants.map(({ what, rows }) => ({
      what: `${named(row)}: ${what}`,
      rows,
      event: row.on,
    }));
  });
}

function named<T extends MachineTypes>(row: Row<T>): string {
  return `${[row.from].flat().join(",")} ${row.on} ${row.to}`;
}

// --- the model ---

/** Walks by chance from life to life; returns the rows that were taken. */
function modelRun<T extends MachineTypes>(fixture: Fixture<T>): Set<Row<T>> {
  const { machine, records, align, apply } = fixture;
  const initial: T["state"] = machine.initial;
  const rowsTaken = new Set<Row<T>>();
  // Unbiased: fast-check leans to first values and short arrays, and rows far in stay unreached.
  const walks = fc.noBias(fc.array(chance(fixture), { minLength: 1, maxLength: 120, size: "max" }));
  const property = fc.property(walks, (moves) => {
    let state = initial;
    let record: T["record"] = records[initial].valid;
    for (const { facts, input, pick, known, rare } of moves) {
      const aligned = align(facts, record);
      if (pick % 5 === 0) agree(machine, state, aligned);
      // Most of the moves are drawn from what this state knows: the others seldom get far.
      const events = machine.events.filter((e) => !known || machine.rowsFor(state, e).length > 0);
      const event = events[pick % events.length];
      const step = event && machine.step(state, event, aligned, input);
      // Many events end a life, few lead far into it: ends are rare.
      const ended = machine.final.includes(state);
      if (step?.ok && !ended && !rare && machine.final.includes(step.to)) continue;
      if (step?.ok) {
        rowsTaken.add(step.row);
        record = apply(record, step, aligned);
        state = step.to;
        machine.assertInvariants(record);
        same(machine.stateOf(record), state);
      } else for (const reason of step?.reasons ?? []) speaks(reason);
      // The end of one life is the beginning of the next.
      if (ended && rare) {
        state = initial;
        record = records[initial].valid;
      }
    }
  });
  fc.assert(property, { seed: 20_240_215, numRuns: 400 });
  return rowsTaken;
}

function chance<T extends MachineTypes>({ domain, inputs }: Fixture<T>) {
  const values = Object.entries(domain) as [string, readonly unknown[]][];
  const facts = Object.fromEntries(values.map(([name, each]) => [name, fc.constantFrom(...each)]));
  return fc.record({
    facts: fc.record(facts),
    input: fc.constantFrom(...inputs),
    pick: fc.nat(9999),
    known: fc.nat(7).map((n) => n > 0),
    rare: fc.boolean(),
  });
}

/** What explain() promises is what step() does, for every event of the state. */
function agree<T extends MachineTypes>(
  machine: Machine<T>,
  state: T["state"],
  facts: T["facts"],
): void {
  const lines = machine.explain(state, facts);
  same(lines.map((line) => line.event).join(), machine.events.join());
  const allowed = lines.filter((line) => line.allowed).map((line) => line.event);
  for (const line of lines) {
    const step = machine.step(state, line.event, facts);
    const promised = line.allowed ? (line.needs ? [line.needs] : line.to) : line.reasons;
    same(JSON.stringify(step.ok ? step.to : step.reasons), JSON.stringify(promised));
    if (step.ok) same(machine.states.includes(step.to), true);
    else same(step.reasons.length > 0 && step.allowed.join() === allowed.join(), true);
  }
}

function speaks(reason: Message): void {
  for (const language of languages) same(/[{}]|^$/.test(render(language, reason)), false);
}

/** As expect().toBe(), which is too slow for a hundred thousand comparisons. */
function same<V extends string | boolean>(got: V, wanted: V): void {
  if (got !== wanted) throw new Error(`expected ${wanted}, got ${got}`);
}

function thrown(run: () => void): Fault {
  try {
    run();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
