// `npm start`: makes the clone ready, then runs the program. Without words it shows a server at work
// on the sample project: a copy of its own, in a home of its own, so that nothing of yours is touched.
// Flags go to the server: `npm start -- --port 0`.
import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { must, ready, root } from "./ready.mjs";

const cli = join(root, "dist", "cli.cjs");
const data = process.env.XDG_DATA_HOME || join(homedir(), ".local", "share");
const words = process.argv.slice(2);
const language = languageOf();
// Each language has its own: what stands there was written in it.
const place = join(data, "holdfast-sample", language);
const project = join(place, "project");
const env = { ...process.env, HOLDFAST_HOME: join(place, "home") };

/** `tasks`: the first is answered for you and comes up to its review; the second waits for your answer. */
const texts = {
  en: {
    tasks: [
      ["To-do list", "For a whole family, with due dates and reminders."],
      ["Library bookings", "Reserve a book, and hear when it is your turn."],
    ],
    commit: "The sample project",
    ended: `"npm start" resumes where it left off. To start over, remove ${place}`,
  },
  ko: {
    tasks: [
      ["할 일 목록 앱", "가족이 함께 쓰는 할 일 목록. 마감일과 알림이 있다."],
      ["동네 도서관 예약", "읽고 싶은 책을 예약하고, 차례가 오면 알림을 받는다."],
    ],
    commit: "샘플 프로젝트",
    ended: `"npm start"를 다시 실행하면 멈춘 곳에서 이어집니다. 처음부터 시작하려면 이 폴더를 지우세요: ${place}`,
  },
}[language];

await ready();
const isProgram = words.length > 0 && (!words[0].startsWith("-") || words.includes("--help"));
if (isProgram) must(process.execPath, [cli, ...words]);
else await showSample(words);

async function showSample(flags) {
  mkdirSync(place, { recursive: true, mode: 0o700 });
  if (!existsSync(project)) makeProject();
  const id = sampleTasks();
  // Where somebody sits before it, and not where a program reads.
  const opening = process.stdout.isTTY ? ["--open"] : [];
  // Ctrl-C reaches the server as well, which ends in good order; we wait for it.
  process.on("SIGINT", () => undefined);
  const server = spawn(process.execPath, [cli, "serve", "--cwd", project, ...opening, ...flags], {
    env,
    stdio: "inherit",
  });
  const ended = new Promise((done) => server.once("exit", (code) => done(code ?? 1)));
  if (id !== undefined) void answerFirstQuestion(id, ended);
  process.exitCode = await ended;
  console.error(texts.ended);
}

/** Made aside and moved: an interrupted copy is not taken for a project. */
function makeProject() {
  const aside = `${project}.new`;
  rmSync(aside, { recursive: true, force: true });
  cpSync(join(root, "examples", "sample-project", language), aside, { recursive: true });
  // It installs nothing: the sample has no packages.
  const settings = join(aside, "holdfast.yaml");
  writeFileSync(settings, readFileSync(settings, "utf8").replace(/^setup: .*\n/m, ""));
  for (const args of [
    ["init", "-q", "-b", "main"],
    ["config", "user.name", "Holdfast"],
    ["config", "user.email", "sample@holdfast.invalid"],
    ["add", "-A"],
    ["commit", "-q", "-m", texts.commit],
  ])
    must("git", args, { cwd: aside });
  renameSync(aside, project);
}

/** The id of the first, which has just been submitted; undefined: there were tasks already. */
function sampleTasks() {
  const { tasks } = told(["task", "list"]);
  if (tasks.length > 0) return undefined;
  const made = texts.tasks.map(([title, description]) => {
    const about = ["--type", "create_app", "--title", title, "--description", description];
    return told(["task", "create", ...about, "--agent", "sample", "--submit"]).id;
  });
  return made[0];
}

/** Its agent asks one thing first; with an answer it works on, up to its first review. */
async function answerFirstQuestion(id, ended) {
  const over = ended.then(() => true);
  while (!(await Promise.race([over, soon()]))) {
    const { openQuestions, status } = told(["task", "show", id]);
    if (status !== "pending" && status !== "in_progress") return;
    const [question] = openQuestions;
    if (question === undefined) continue;
    told(["task", "answer", id, "--answer", question.options[0]]);
    return;
  }
}

/** `--lang`, else the locale, as the program itself does it (S7.4); a wrong one is for it to refuse. */
function languageOf() {
  const at = words.findIndex((word) => word === "--lang" || word.startsWith("--lang="));
  const given = words[at]?.split("=")[1] ?? (at >= 0 ? words[at + 1] : undefined);
  if (given === "en" || given === "ko") return given;
  const { LC_ALL, LC_MESSAGES, LANG } = process.env;
  return /^ko/i.test(LC_ALL || LC_MESSAGES || LANG || "") ? "ko" : "en";
}

function told(args) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [cli, ...args, "--cwd", project, "--lang", language, "--json"],
    { env, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stdout + stderr);
  return JSON.parse(stdout);
}

function soon() {
  return new Promise((done) => setTimeout(() => done(false), 500));
}
