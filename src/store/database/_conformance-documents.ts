// Every revision of a document can be written again, byte by byte, whether it was stored whole or
// as a difference.
import { expect, test } from "vitest";
import { type Subject, begin, documentWrite, done, project } from "./_conformance-samples.ts";

export function testDocuments(subject: Subject): void {
  revisions(subject);
  contents(subject);
  madeAnew(subject);
}

// --- internal ---

const path = "/home/dev/앱/.claude/orchestrate-state.json";

function revisions(subject: Subject): void {
  test("S5.2 counts its revisions without a gap, and keeps the last one's checksums", async () => {
    const { store } = subject;
    await begin(store);
    for (let rev = 0; rev < 5; rev++) {
      const more = { before: rev === 0 ? null : `sum-${rev}` };
      const write = documentWrite(path, rev, Buffer.from(`{"n":${rev}}`), more);
      await done(store, { documents: [write] });
      expect(await store.document(path)).toEqual({ ...write.document, rev: rev + 1 });
    }
    const all = await store.revisions(path);
    expect(all.map(({ rev, event }) => [rev, event])).toEqual(
      [1, 2, 3, 4, 5].map((rev) => [rev, { n: rev }]),
    );
    expect((await store.revisions(path, 3)).map(({ rev }) => rev)).toEqual([4, 5]);
    expect(await store.revisions("/other")).toEqual([]);
    expect(await store.document("/other")).toBeUndefined();
    expect((await store.documents(project.id)).map((row) => row.path)).toEqual([path]);
    expect(await store.documents("p9")).toEqual([]);
  });

  test("of several written in one change, one stale one keeps all back", async () => {
    const { store } = subject;
    await begin(store);
    await done(store, { documents: [documentWrite("/b", 0, Buffer.from("b"))] });
    const outcome = await store.commit({
      documents: [
        documentWrite("/a", 0, Buffer.from("a")),
        documentWrite("/b", 0, Buffer.from("B")),
      ],
    });
    expect(outcome).toMatchObject({ ok: false, code: "stale" });
    expect((await store.documents(project.id)).map((row) => row.path)).toEqual(["/b"]);
    expect(await store.contentAt("/a", 1)).toBeUndefined();
  });

  test("that goes takes its revisions along", async () => {
    const { store } = subject;
    await begin(store);
    await done(store, { documents: [documentWrite(path, 0, Buffer.from("x"))] });
    await done(store, { documentsGone: [path, "/unknown"] });
    expect(await store.document(path)).toBeUndefined();
    expect(await store.revisions(path)).toEqual([]);
    expect(await store.contentAt(path, 1)).toBeUndefined();
  });
}

function contents(subject: Subject): void {
  test("that is large can be read at each of 120 revisions, and takes little room", async () => {
    const { store, opened } = subject;
    await begin(store);
    const all = Array.from({ length: 2_000 }, (_, n) => `{"id":"T${n}","상태":"pending"}\n`);
    const contentsOf: Buffer[] = [];
    for (let rev = 0; rev < 120; rev++) {
      // One line in the middle, now and then one more or one less, at both ends too.
      all[(rev * 797) % all.length] = `{"id":"T${rev}","상태":"completed","rev":${rev}}\n`;
      if (rev % 30 === 3) all.push(`{"more":${rev}}\n`);
      if (rev % 30 === 7) all.shift();
      contentsOf.push(Buffer.from(all.join("")));
    }
    for (const [rev, content] of contentsOf.entries())
      await done(store, { documents: [documentWrite(path, rev, content)] });
    const again = await opened.reopen();
    const wrong: number[] = [];
    for (const [n, content] of contentsOf.entries()) {
      const read = await again.contentAt(path, n + 1);
      if (!Buffer.from(read ?? []).equals(content)) wrong.push(n + 1);
    }
    expect(wrong).toEqual([]);
    const stored = await again.revisions(path);
    const bytes = stored.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
    const whole = contentsOf.reduce((sum, { length }) => sum + length, 0);
    expect(bytes).toBeLessThan(whole / 8);
    expect(stored.filter(({ base }) => base === null).map(({ rev }) => rev)).toEqual([1, 51, 101]);
  });

  test("may be empty, missing, or follow a revision without content", async () => {
    const { store } = subject;
    await begin(store);
    const large = Buffer.alloc(100_000, "가");
    const given = [new Uint8Array(0), null, large, null, large, large];
    for (const [rev, content] of given.entries())
      await done(store, { documents: [documentWrite(path, rev, content)] });
    for (const [n, content] of given.entries()) {
      const read = await store.contentAt(path, n + 1);
      expect(read === undefined ? null : Buffer.from(read)).toEqual(
        content === null ? null : Buffer.from(content),
      );
    }
    expect(await store.contentAt(path, 0)).toBeUndefined();
    expect(await store.contentAt(path, 7)).toBeUndefined();
  });
}

function madeAnew(subject: Subject): void {
  test("made anew is not put together from what went before it", async () => {
    const { store } = subject;
    await begin(store);
    const first = Buffer.alloc(100_000, "first ");
    const second = Buffer.alloc(90_000, "second ");
    await done(store, { documents: [documentWrite(path, 0, first)] });
    await done(store, { documentsGone: [path], documents: [documentWrite(path, 0, second)] });
    const third = Buffer.concat([second, Buffer.from("end")]);
    await done(store, { documents: [documentWrite(path, 1, third)] });
    expect(Buffer.from((await store.contentAt(path, 2)) ?? []).equals(third)).toBe(true);
  });

  test("bytes of the revision before, handed over, are used only if they are what was published", async () => {
    const { store } = subject;
    await begin(store);
    const [first, other] = [lines("first"), lines("other")];
    const later = Buffer.concat([first, Buffer.from("end")]);
    const write = (rev: number, content: Buffer, before: string | null, after: string) =>
      documentWrite(path, rev, content, { before, after });
    await done(store, { documents: [write(0, first, null, "one")] });
    await done(store, { documents: [{ ...write(1, later, "one", "two"), previous: first }] });
    expect((await store.revisions(path, 1))[0]?.base).toBe(1);
    expect(Buffer.from((await store.contentAt(path, 2)) ?? []).equals(later)).toBe(true);
    // Made anew by somebody else: what is handed over is not what is there.
    await done(store, { documentsGone: [path], documents: [write(0, other, null, "else")] });
    await done(store, { documents: [{ ...write(1, later, "one", "two"), previous: first }] });
    expect(Buffer.from((await store.contentAt(path, 2)) ?? []).equals(later)).toBe(true);
  });
}

function lines(word: string): Buffer {
  return Buffer.from(`${word}\n`.repeat(20_000));
}
