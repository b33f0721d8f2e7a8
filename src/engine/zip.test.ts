import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { put, treeOf } from "../../test/engine/project.ts";
import { Fault } from "../core/errors.ts";
import { languages, render } from "../core/messages.ts";
import { makeTrees, takeTree } from "../git/snapshot.ts";
import { type ZipOptions, type Zipped, zipDeliverables } from "./zip.ts";

let place = "";
let folder = "";
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "holdfast-zip-"));
  folder = join(place, "tree");
  mkdirSync(folder);
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const write = (path: string, content: string | Uint8Array, mode?: number): void =>
  put(join(folder, path), content, mode);
let seq = 0;
/** A snapshot of the folder as it is now, and a ZIP of that. */
const zip = async (more: Partial<ZipOptions> = {}): Promise<Zipped> => {
  const trees = { repository: join(place, "trees.git"), workTree: folder };
  await makeTrees(trees, null);
  const { commit } = await takeTree({ trees, seq: ++seq, at: 0 });
  return zipDeliverables({ trees, commit, files: "all", out: join(place, "out.zip"), ...more });
};
const content = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(unzipSync(readFileSync(join(place, "out.zip")))).map(([name, bytes]) => [
      name,
      Buffer.from(bytes).toString("utf8"),
    ]),
  );

describe("S1.6 the deliverables as a ZIP", () => {
  test("holds what was asked for, files and folders, each once and by name", async () => {
    write("docs/b.md", "b");
    write("docs/a.md", "a");
    write("other.md", "no");
    write("README.md", "r");
    const made = await zip({ files: ["docs/", "README.md", "docs/a.md", "gone.md"] });
    expect(content()).toEqual({ "README.md": "r", "docs/a.md": "a", "docs/b.md": "b" });
    expect(made.files).toEqual(["README.md", "docs/a.md", "docs/b.md"]);
    expect(made.leftOut.map(({ path, why }) => `${path} ${why}`)).toEqual(["gone.md missing"]);
    expect(made.bytes).toBe(readFileSync(join(place, "out.zip")).length);
  });

  test("is opened by others' programs, Korean names and modes too", async () => {
    write("문서/기획서 최종.md", "가".repeat(100_000));
    write("bin/run.sh", "#!/bin/sh\n", 0o755);
    write("empty", "");
    write(
      "image.png",
      Uint8Array.from({ length: 70_000 }, (_, n) => n % 251),
    );
    await zip();
    const out = join(place, "unpacked");
    execFileSync("unzip", ["-q", join(place, "out.zip"), "-d", out], {
      env: { ...process.env, LC_ALL: "C.UTF-8" },
    });
    expect(treeOf(out)).toEqual(treeOf(folder));
    const python =
      "import zipfile,sys; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(sorted(z.namelist()))";
    const listed = execFileSync("python3", ["-c", python, join(place, "out.zip")], {
      encoding: "utf8",
      env: { ...process.env, PYTHONIOENCODING: "utf8" },
    });
    expect(listed).toContain("'문서/기획서 최종.md'");
  });

  test("has the same bytes for the same files, whenever and wherever it is made", async () => {
    write("b", "b");
    write("a", "a".repeat(100_000));
    const first = await zip();
    utimesSync(join(folder, "a"), 1, 1);
    const zone = process.env["TZ"];
    process.env["TZ"] = "Pacific/Apia";
    const second = await zip();
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
    expect(second.sha256).toBe(first.sha256);
  });

  test("threat 10: holds no links, pipes, repositories or environment files, and hangs at none", async () => {
    write("fine.md", "x");
    symlinkSync("/etc/passwd", join(folder, "link"));
    symlinkSync("/etc", join(folder, "etc"));
    execFileSync("mkfifo", [join(folder, "pipe")]);
    write(".env", "KEY=1");
    write("app/.env.local", "KEY=1");
    write("app/.ENV", "KEY=1");
    write("app/.env.example", "KEY=");
    write(".git/config", "x");
    write("node_modules/p/x.js", "x");
    const made = await zip();
    expect(Object.keys(content())).toEqual(["app/.env.example", "fine.md"]);
    expect(made.leftOut.map(({ path, why }) => `${path} ${why}`)).toEqual([
      ".env private",
      "app/.ENV private",
      "app/.env.local private",
      "etc not_a_file",
      "link not_a_file",
    ]);
    const asked = await zip({
      files: [".git/config", "../secret", "etc/passwd", "/etc/passwd", "link", ".git"],
    });
    expect(asked.files).toEqual([]);
  });

  test("S6.6 holds no file with a secret in it, in small or large ones, at any border", async () => {
    const secret = "zip-secret-value-9";
    write("clean", "x");
    write("small", `a${secret}b`);
    write("large", `${"x".repeat(64 * 1024 - 5)}${secret}${"y".repeat(200_000)}`);
    write("encoded", Buffer.from(`me:${secret}`).toString("base64"));
    write(`named-${secret}`, "x");
    const made = await zip({ secrets: [secret] });
    expect(made.files).toEqual(["clean"]);
    expect(made.leftOut.map(({ why }) => why)).toEqual(["secret", "secret", "secret", "secret"]);
    expect(JSON.stringify(made.leftOut)).not.toContain(secret);
    expect(readFileSync(join(place, "out.zip")).includes(secret)).toBe(false);
  });

  test("keeps its limits on number and size, and says what did not fit", async () => {
    for (const name of ["a", "b", "c"]) write(name, "x".repeat(100));
    const few = await zip({ maxFiles: 2 });
    expect([few.files, few.leftOut.map(({ path }) => path)]).toEqual([["a", "b"], ["c"]]);
    const small = await zip({ maxBytes: 150 });
    expect(small.files).toEqual(["a"]);
    for (const { text } of small.leftOut)
      for (const language of languages) expect(render(language, text)).toContain("150");
  });

  test("S1.6 is of the snapshot alone, whatever has become of the folder; asked for again, it has the same bytes", async () => {
    write("docs/a.md", "approved");
    const trees = { repository: join(place, "trees.git"), workTree: folder };
    await makeTrees(trees, null);
    const { commit } = await takeTree({ trees, seq: ++seq, at: 0 });
    const wish = { trees, commit, files: "all", out: join(place, "out.zip") } as const;
    const first = await zipDeliverables(wish);
    rmSync(folder, { recursive: true });
    mkdirSync(join(place, "theirs/docs"), { recursive: true });
    writeFileSync(join(place, "theirs/docs/a.md"), "not ours");
    symlinkSync(join(place, "theirs"), folder);
    const [second, third] = await Promise.all([zipDeliverables(wish), zipDeliverables(wish)]);
    expect(content()).toEqual({ "docs/a.md": "approved" });
    expect([second.sha256, third.sha256]).toEqual([first.sha256, first.sha256]);
  });

  test("is there whole or not at all, and leaves nothing beside it", async () => {
    write("a", "a");
    await zip();
    expect(readdirSync(place).toSorted()).toEqual(["out.zip", "trees.git", "tree"].toSorted());
    const before = readFileSync(join(place, "out.zip"));
    await zip();
    expect(readFileSync(join(place, "out.zip")).equals(before)).toBe(true);
    await expect(zip({ out: join(place, "no/folder/out.zip") })).rejects.toThrow(Fault);
  });

  test("S5.4 is not written through a link", async () => {
    write("a", "a");
    writeFileSync(join(place, "victim"), "theirs");
    symlinkSync("victim", join(place, "out.zip"));
    await zip();
    expect(readFileSync(join(place, "victim"), "utf8")).toBe("theirs");
    expect(Object.keys(content())).toEqual(["a"]);
  });

  test("names that are no UTF-8 are told, not lost in silence", async () => {
    write("a", "a");
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xc7, 0xd1])]), "x");
    const made = await zip();
    expect(made.files).toEqual(["a"]);
    expect(made.leftOut).toHaveLength(1);
  });

  test("of nothing is an empty one", async () => {
    const made = await zip();
    expect(made.files).toEqual([]);
    expect(existsSync(made.path)).toBe(true);
    expect(content()).toEqual({});
  });
});
