import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Fault } from "../core/errors.ts";
import { openSecretBox } from "./secrets.ts";

let home = "";
beforeEach(() => (home = mkdtempSync(join(tmpdir(), "holdfast-secrets-"))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

const keyFile = (): string => join(home, "secret.key");

function faultOf(work: () => unknown): Fault {
  try {
    work();
  } catch (cause) {
    if (cause instanceof Fault) return cause;
    throw cause;
  }
  throw new Error("nothing was thrown");
}

async function laterFaultOf(work: Promise<unknown>): Promise<Fault> {
  const thrown: unknown = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (thrown instanceof Fault) return thrown;
  throw new Error(`no Fault: ${String(thrown)}`);
}

describe("S6.6 a secret at rest", () => {
  test.each(["", "x", "비밀 값\n두 줄", "k".repeat(100_000)])(
    "opens as it was sealed",
    async (value) => {
      const content = await openSecretBox(home).seal("task_1", "API_KEY", value);
      expect(openSecretBox(home).open("task_1", "API_KEY", content)).toBe(value);
    },
  );

  test("is not to be seen in what is stored, and no two look alike", async () => {
    const box = openSecretBox(home);
    const first = Buffer.from(await box.seal("task_1", "KEY", "the-secret-value"));
    const second = Buffer.from(await box.seal("task_1", "KEY", "the-secret-value"));
    expect(first.includes("the-secret")).toBe(false);
    expect(first.equals(second)).toBe(false);
  });

  test("does not open under another name or task, or with one bit changed", async () => {
    const box = openSecretBox(home);
    const content = await box.seal("task_1", "KEY", "value");
    expect(faultOf(() => box.open("task_2", "KEY", content)).code).toBe("corrupt");
    expect(faultOf(() => box.open("task_1", "KE", content)).code).toBe("corrupt");
    expect(faultOf(() => box.open("task_", "1KEY", content)).code).toBe("corrupt");
    for (let bit = 0; bit < content.length * 8; bit++) {
      const flipped = Uint8Array.from(content);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(faultOf(() => box.open("task_1", "KEY", flipped)).code).toBe("corrupt");
    }
    for (let length = 0; length < content.length; length++)
      expect(faultOf(() => box.open("task_1", "KEY", content.subarray(0, length))).code).toBe(
        "corrupt",
      );
  });

  test("does not open with another key, and says which file it is about", async () => {
    const content = await openSecretBox(home).seal("task_1", "KEY", "value");
    writeFileSync(keyFile(), Buffer.alloc(32, 7));
    const fault = faultOf(() => openSecretBox(home).open("task_1", "KEY", content));
    expect(fault.message).toContain(keyFile());
    expect(fault.hint).toBeDefined();
  });
});

describe("S6.6 the key", () => {
  test("is made when the first secret is, for its user alone, with no other file beside it", async () => {
    expect(existsSync(keyFile())).toBe(false);
    await openSecretBox(home).seal("t", "n", "v");
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
    expect(statSync(keyFile()).size).toBe(32);
    expect(readdirSync(home)).toEqual(["secret.key"]);
  });

  test("is never made anew to open something: that could only fail later", async () => {
    const content = await openSecretBox(home).seal("t", "n", "v");
    rmSync(keyFile());
    const fault = faultOf(() => openSecretBox(home).open("t", "n", content));
    expect(fault.text.key).toBe("secret.no_key");
    expect(existsSync(keyFile())).toBe(false);
  });

  test.each([0o640, 0o604, 0o666, 0o700 | 0o010])("is refused with mode %o", async (mode) => {
    await openSecretBox(home).seal("t", "n", "v");
    chmodSync(keyFile(), mode);
    const fault = await laterFaultOf(openSecretBox(home).seal("t", "n", "v"));
    expect(fault.text.key).toBe("secret.key_open");
  });

  test.each([0, 1, 31, 33, 4096])(
    "of %i bytes is called damaged, and left as it is",
    async (size) => {
      writeFileSync(keyFile(), Buffer.alloc(size), { mode: 0o600 });
      const fault = await laterFaultOf(openSecretBox(home).seal("t", "n", "v"));
      expect(fault.text.key).toBe("secret.key_size");
      expect(statSync(keyFile()).size).toBe(size);
    },
  );

  test("S5.4 is not read through a link", async () => {
    writeFileSync(join(home, "other"), Buffer.alloc(32), { mode: 0o600 });
    symlinkSync("other", keyFile());
    const fault = await laterFaultOf(openSecretBox(home).seal("t", "n", "v"));
    expect(fault.text.key).toBe("file.not_regular");
  });

  test("is one, if many processes make it at the same moment", async () => {
    const program = join(home, "sealer.ts");
    const source = resolve(import.meta.dirname, "secrets.ts");
    // Each says that it is ready, and seals when it is told so.
    writeFileSync(
      program,
      `import { openSecretBox } from ${JSON.stringify(source)};
       const folder = process.argv[2];
       process.stdout.write("ready\\n");
       process.stdin.once("data", async () => {
         const content = await openSecretBox(folder).seal("t", "n", "v");
         process.stdout.write(Buffer.from(content).toString("hex") + "\\n");
         process.exit(0);
       });`,
    );
    const place = mkdtempSync(join(home, "place-"));
    const runner = resolve(import.meta.dirname, "../../scripts/run-ts.mjs");
    const children = Array.from({ length: 6 }, () =>
      spawn(process.execPath, [runner, program, place], { stdio: ["pipe", "pipe", "inherit"] }),
    );
    const outputs = children.map((child) => {
      let text = "";
      child.stdout.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      const ended = new Promise<string>((done) => child.once("close", () => done(text)));
      // Or gone, which the contents will tell.
      const ready = Promise.race([
        ended,
        new Promise<void>((done) => child.stdout.once("data", () => done())),
      ]);
      return { ready, ended };
    });
    await Promise.all(outputs.map(({ ready }) => ready));
    for (const child of children) child.stdin.write("go\n");
    const sealed = await Promise.all(outputs.map(({ ended }) => ended));
    const box = openSecretBox(place);
    for (const line of sealed) {
      const content = Buffer.from(line.replace("ready\n", "").trim(), "hex");
      expect(box.open("t", "n", content)).toBe("v");
    }
    expect(readdirSync(place)).toEqual(["secret.key"]);
    expect(readFileSync(join(place, "secret.key")).length).toBe(32);
  });
});
