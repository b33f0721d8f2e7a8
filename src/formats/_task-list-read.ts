// The first pass: lines become drafts of tasks, phases and diagrams.
//
// Who belongs to whom: a task written as a heading ends at the next heading of its own level or
// above, one written as a list item at any heading. Fields and sub-items in between are its own.
import { msg } from "../core/messages.ts";
import {
  type Place,
  type Reading,
  complain,
  newDraft,
  newReading,
  tell,
} from "./_task-list-draft.ts";
import { isShell } from "./_task-list-fields.ts";
import {
  type Box,
  type Head,
  type TaskName,
  readBox,
  readHead,
  readPhaseName,
  readTaskName,
  tidy,
} from "./_task-list-heads.ts";
import { phaseOf } from "./_task-list-ids.ts";
import { type Line, blocksOf } from "./_task-list-lines.ts";
import { readDiagram } from "./_task-list-mermaid.ts";
import { closeField, takeCommands, takeLine } from "./_task-list-take.ts";
import { limits } from "./_task-list-types.ts";

export function readTaskList(text: string): Reading {
  const reading = newReading();
  // A UTF-16 unit takes at most three bytes: most texts need not be measured.
  if (text.length * 3 > limits.bytes && Buffer.byteLength(text) > limits.bytes) {
    const max = limits.bytes / 1024 / 1024;
    complain(reading, { line: 1, column: 1 }, msg("tasks.too_large", { max }));
    return reading;
  }
  for (const block of blocksOf(text, (problem) => reading.problems.push(problem))) {
    if (block.kind === "line") {
      if (!readLine(reading, block.line)) break;
      continue;
    }
    if (block.language === "mermaid") {
      const diagram = readDiagram(block.line.number, block.body);
      if (diagram) reading.diagrams.push(diagram);
    } else if (isShell(block.language)) takeCommands(reading, block.body);
    closeField(reading);
    touch(reading, (block.body.at(-1)?.number ?? block.line.number) + 1);
  }
  closeField(reading);
  return reading;
}

// --- internal ---

/** False when the plan is too long to go on. */
function readLine(reading: Reading, line: Line): boolean {
  if (line.text.trim() === "") return true;
  const head = readHead(line.text);
  const box = head && readBox(line.text, head.at);
  if (head && box && readTaskLine(reading, line, head, box)) {
    if (reading.drafts.length <= limits.tasks) return true;
    reading.drafts.pop();
    reading.boxes.pop();
    const at = { line: line.number, column: 1 };
    complain(reading, at, msg("tasks.too_many", { max: limits.tasks }));
    return false;
  }
  if (head && head.level > 0) readHeading(reading, line, head, box);
  else if (reading.task && !box) takeLine(reading, line, head);
  if (!isRule(line.text)) touch(reading, line.number);
  return true;
}

/** `---` ends a section: it belongs to no task. */
function isRule(text: string): boolean {
  return /^(?:-{3,}|\*{3,}|_{3,})$/.test(text.replace(/\s/g, ""));
}

/** The task's text reaches at least this far. */
function touch(reading: Reading, line: number): void {
  if (reading.task) reading.task.endLine = line;
}

function readTaskLine(reading: Reading, line: Line, head: Head, box: Box): boolean {
  const name = readTaskName(line.text.slice(box.to + 1).normalize("NFC"));
  if (name === null) return false;
  const { word } = name;
  const at = { line: line.number, column: box.to + 2 + word.at };
  const nested = isNested(reading, head);
  if (word.kind !== "id") {
    if (!nested && word.kind === "like") {
      complain(reading, at, msg("tasks.id_unreadable", { word: word.text }), word.text);
      reading.mentions.push({ kind: "refused", id: word.text, ...at });
    }
    if (word.kind === "lower") tellLowerCase(reading, at, word.text);
    return false;
  }
  const id = word.text;
  // Below a task, `T0.5.2 테스트 통과` speaks of a task; `T1.2: …` is one.
  if (nested && (!name.setApart || id === reading.task?.id)) {
    reading.mentions.push({ kind: "sub_item", id, ...at });
    return false;
  }
  if (name.several) {
    complain(reading, at, msg("tasks.several_ids", { id }), id);
    return false;
  }
  beginTask(reading, line, head, box, name);
  return true;
}

function tellLowerCase(reading: Reading, at: Place, word: string): void {
  const text = msg("tasks.lower_case", { word, id: word.toUpperCase() });
  tell(reading, at, text, word);
}

function isNested(reading: Reading, head: Head): boolean {
  if (reading.task === null || head.level > 0) return false;
  return reading.task.level > 0 || head.indent > reading.task.indent;
}

function beginTask(reading: Reading, line: Line, head: Head, box: Box, name: TaskName): void {
  closeField(reading);
  const id = name.word.text;
  const { level, indent } = head;
  const { checked } = box;
  const at = { line: line.number, column: box.to + 2 + name.word.at };
  reading.boxes.push({ id, from: line.start + box.from, to: line.start + box.to, checked });
  // Task headings may stand level with their phase's, not above it.
  if (level > 0 && reading.phase && level < reading.phase.level) reading.phase = null;
  if (reading.phase && !reading.ids.has(id)) reading.phase.tasks++;
  reading.ids.add(id);
  const own = phaseOf(id);
  const told = name.phase ?? reading.phase?.phase.number ?? own;
  if (told !== own) {
    const key = name.phase === null ? "tasks.phase_of_heading" : "tasks.phase_of_line";
    tell(reading, at, msg(key, { id, own, told }), id);
  }
  if (box.oddMark !== null) tell(reading, at, msg("tasks.odd_mark", { id, mark: box.oddMark }), id);
  reading.task = newDraft({ id, phase: own, title: name.title, checked, level, indent, ...at });
  reading.drafts.push(reading.task);
}

function readHeading(reading: Reading, line: Line, head: Head, box: Box | null): void {
  closeField(reading);
  const { level } = head;
  if (reading.task && level <= (reading.task.level || 6)) reading.task = null;
  const text = line.text.slice(box ? box.to + 1 : head.at).normalize("NFC");
  const phase = readPhaseName(text);
  if (phase) {
    reading.phase = { phase, level, line: line.number, tasks: 0 };
    reading.phases.push(reading.phase);
    return;
  }
  if (reading.phase && level <= reading.phase.level) reading.phase = null;
  const name = box ? null : readTaskName(text);
  if (name?.word.kind === "id" && !name.several) {
    const column = head.at + 1 + name.word.at;
    reading.mentions.push({ kind: "no_box", id: name.word.text, line: line.number, column });
  } else if (level === 1) reading.title ??= tidy(text);
}
