// `npm run screenshots`: the sample project at work, driven by a real browser, as pictures for the
// READMEs: docs/screens/<screen>.<language>.png. In a folder of its own that goes with it.
import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { must, ready, root } from "./ready.mjs";
import { importTs } from "./run-ts.mjs";

const out = process.env.HOLDFAST_SCREENS || join(root, "docs", "screens");
const cli = join(root, "dist", "cli.cjs");
/** Where it is looked for; the tests find it the same way. */
const browserPath = [
  process.env.HOLDFAST_CHROMIUM,
  ...(process.env.PATH ?? "")
    .split(":")
    .flatMap((folder) => [join(folder, "chromium"), join(folder, "google-chrome")]),
].find((path) => path && existsSync(path));

// Without one Korean is a row of boxes, and nobody notices until the pictures are published.
const fonts = spawnSync("fc-list", [":lang=ko", "family"], { encoding: "utf8" });
if (fonts.status === 0 && fonts.stdout.trim() === "")
  throw new Error("No font has Korean letters. Install one: apt-get install fonts-noto-cjk");

const words = {
  ko: {
    plan: [
      "저장소 준비",
      "데이터 모델",
      "로그인 API",
      "로그인 화면",
      "결제 화면",
      "영수증",
      "검색",
      "알림",
      "관리자 화면",
      "통계",
      "접근성",
      "배포",
    ],
    past: [
      "구독 결제",
      "실시간 채팅",
      "검색 속도 개선",
      "관리자 화면",
      "이메일 알림",
      "접근성 점검",
      "영수증 PDF",
      "다국어 지원",
      "비밀번호 재설정",
    ],
    ask: ["구독 결제", "결제 실패 시 재시도를 몇 번 할까요?", "3번", "5번", "하지 않음"],
    need: ["결제 연동", "결제 화면을 시험하는 데 필요합니다"],
    note: [
      "채팅 설계 문서",
      "# 실시간 채팅\\n\\n방마다 하나의 연결을 쓴다.\\n연결이 끊기면 1초 뒤에 다시 잇는다.\\n",
    ],
    failed: ["이메일 알림", "npm test: 종료 코드 1"],
    title: "관리자 화면에 통계 추가",
    text: "주별 가입자와 결제 금액을 그래프로 보여 준다.\n완료 기준:\n- 12주까지 고를 수 있다",
  },
  en: {
    plan: [
      "Repository",
      "Data model",
      "Login API",
      "Login form",
      "Checkout",
      "Receipts",
      "Search",
      "Notifications",
      "Admin page",
      "Statistics",
      "Accessibility",
      "Release",
    ],
    past: [
      "Subscriptions",
      "Live chat",
      "Faster search",
      "Admin page",
      "E-mail alerts",
      "Accessibility",
      "PDF receipts",
      "Languages",
      "Password reset",
    ],
    ask: [
      "Subscriptions",
      "How often should a failed payment be tried again?",
      "3 times",
      "5 times",
      "Never",
    ],
    need: ["Payments", "To try the checkout"],
    note: [
      "Chat design",
      "# Live chat\\n\\nOne connection for each room.\\nIt is joined again after a second.\\n",
    ],
    failed: ["E-mail alerts", "npm test: exit code 1"],
    title: "Statistics on the admin page",
    text: "Shows sign-ups and revenue by week as a chart.\nDone when:\n- up to 12 weeks can be chosen",
  },
};

if (!process.argv.includes("--built")) await ready();
const { writePast, writePlan } = await importTs(join(root, "test", "e2e", "past.ts"));
if (browserPath === undefined)
  throw new Error("no Chromium was found; name one with HOLDFAST_CHROMIUM");
mkdirSync(out, { recursive: true });
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
try {
  for (const language of ["ko", "en"]) await inLanguage(language);
} finally {
  await browser.close();
}

async function inLanguage(language) {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-screens-"));
  const project = join(folder, "shop-web");
  const env = {
    ...process.env,
    HOLDFAST_HOME: join(folder, "home"),
    TEAM_HOOK: "https://hooks.example.com/x",
    LANG: language === "ko" ? "ko_KR.UTF-8" : "C.UTF-8",
  };
  await makeProject(project, env, words[language], language);
  const server = spawn(process.execPath, [cli, "serve", "--port", "0", "--cwd", project], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = new Promise((done) => server.once("exit", done));
  try {
    const api = await door(join(folder, "home", "server.json"), language);
    const tasks = await makeTasks(api, words[language]);
    await pictures(api, tasks, language);
    await api.end();
  } finally {
    server.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function makeProject(project, env, said, language) {
  cpSync(join(root, "examples", "sample-project", language), project, { recursive: true });
  writePlan(project, 24, 3, said.plan);
  const review = "review: true";
  writeFileSync(
    join(project, "holdfast.yaml"),
    `version: 1\nslots: 4\nlanguage: ${language}\nbudgets: { task: { cost_usd: 5 }, day: { cost_usd: 40 } }\nnotify: { webhooks: [TEAM_HOOK] }\ntask_types:\n  note:\n    title: ${language === "ko" ? "설계 문서" : "Design note"}\n    phases:\n      - { name: Draft, prompt: Write it., deliverables: [{ path: docs/note.md }], verify: [test -s docs/note.md], ${review} }\n      - { name: Final, prompt: Finish it., ${review} }\n`,
  );
  const identity = ["-c", "user.name=Holdfast", "-c", "user.email=sample@holdfast.invalid"];
  for (const args of [
    ["init", "-q", "-b", "main"],
    ["config", "user.name", "Holdfast"],
    ["config", "user.email", "sample@holdfast.invalid"],
    ["add", "-A"],
    [...identity, "commit", "-q", "-m", "The sample project"],
  ])
    must("git", args, { cwd: project });
  mkdirSync(env.HOLDFAST_HOME, { mode: 0o700 });
  await writePast({
    database: join(env.HOLDFAST_HOME, "holdfast.db"),
    root: project,
    titles: said.past,
    language,
    until: Date.now() - 4 * 3_600_000,
    tasks: 110,
    days: 28,
  });
}

/** The server as a program sees it. */
async function door(file, language) {
  for (let tries = 0; !existsSync(file) && tries < 200; tries++) await soon();
  const { url, token } = JSON.parse(readFileSync(file, "utf8"));
  const call = async (path, body) => {
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "accept-language": language,
    };
    const answer = await fetch(
      url + path,
      body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) },
    );
    const json = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(json)}`);
    return json;
  };
  return {
    call,
    address: (path) => `${url}${path}#token=${token}`,
    until: async (path, is) => {
      for (let tries = 0; tries < 400; tries++) {
        const json = await call(path);
        if (is(json)) return json;
        await soon();
      }
      throw new Error(`${path} did not come to it`);
    },
    end: async () => {
      const { tasks } = await call("/api/tasks?limit=500");
      for (const { id, status } of tasks)
        if (status === "in_progress" || status === "review")
          await call(`/api/tasks/${id}/cancel`, {});
    },
  };
}

async function makeTasks({ call, until }, said) {
  const task = async (title, script, type = "custom") =>
    (
      await call("/api/tasks", {
        type,
        title,
        description: said.text,
        agent: "sample",
        script,
        submit: true,
      })
    ).id;
  const [asks, question, ...options] = said.ask;
  const review = await task(
    said.note[0],
    `usage 41000 0.42\nwrite docs/note.md ${said.note[1]}\nphase 1 docs/note.md\n`,
    "note",
  );
  // First of all, so that it stands first in the Inbox.
  await until(`/api/tasks/${review}`, ({ status }) => status === "review");
  await task(
    asks,
    `usage 12000 0.11\nsay ${question}\nask choice ${question} | ${options.join(" | ")}\n`,
  );
  await task(said.need[0], `usage 8000 0.05\nneed api_key STRIPE_API_KEY ${said.need[1]}\n`);
  await task(said.failed[0], `fatal ${said.failed[1]}\n`);
  await task(said.title, "usage 22000 0.19\nsay …\nsleep 600000\n");
  await call("/api/tasks", {
    type: "create_app",
    title: said.past[1],
    description: said.text,
    agent: "sample",
  });
  await until("/api/inbox", ({ items }) => items.length >= 3);
  return { review };
}

async function pictures(api, { review }, language) {
  const said = words[language];
  const wide = {
    viewport: { width: 1280, height: 800 },
    locale: language === "ko" ? "ko-KR" : "en-US",
  };
  const phone = { ...wide, viewport: { width: 390, height: 800 }, hasTouch: true };
  const shot = async (
    name,
    path,
    there,
    look = wide,
    theme = "light",
    act = async () => undefined,
  ) => {
    const context = await browser.newContext({
      ...look,
      colorScheme: theme,
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    // The notes of a first visit have been read.
    await page.addInitScript({
      content: `localStorage.setItem("holdfast.settings", '{"notes":["question","answered","review","notify"]}')`,
    });
    await page.goto(api.address(path));
    await page.locator(there).first().waitFor();
    await act(page);
    await page.waitForTimeout(800);
    await page.screenshot({ path: join(out, `${name}.${language}.png`) });
    await context.close();
  };
  await shot("inbox", "/", "main footer");
  await shot("board", "/board", "a[data-card]");
  await shot("review", `/t/${review}/review`, "footer");
  await shot("graph", "/g/orchestrate?unit=T1.4", "aside li");
  await shot("metrics", "/costs", "dl dd");
  await shot("machines", `/t/${review}/machines`, "svg rect");
  await shot("new", "/new", "input[type=radio]", wide, "light", async (page) => {
    await page.locator("input[value=create_app]").check();
    await page.locator("main input:not([type=radio])").first().fill(said.title);
    await page.locator("textarea").fill(said.text);
  });
  await shot("inbox-phone", "/", "#root h1", phone);
}

function soon() {
  return new Promise((done) => setTimeout(done, 50));
}
