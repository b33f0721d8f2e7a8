// Secrets that stand in documents, such as the address of a webhook (S2.3, S6.6): in the file they are the user's
// own text, in the database they are sealed like every other secret. Whoever reads a revision gets the bytes of
// the file back.
import type { Change, DocumentWrite, Store } from "./database/store.ts";
import type { SecretBox } from "./secrets.ts";

/** The store, as documents see it. `home`: where the key lies. */
export function sealingStore(store: Store, home: string): Store {
  let opened: Promise<SecretBox> | undefined;
  // Loaded where there is a secret: most calls have none.
  const box = (): Promise<SecretBox> =>
    (opened ??= import("./secrets.ts").then(({ openSecretBox }) => openSecretBox(home)));
  return {
    ...store,
    commit: async (change) => store.commit(await sealedChange(change, box)),
    contentAt: async (path, rev) => {
      const content = await store.contentAt(path, rev);
      if (content === undefined || Buffer.from(content).indexOf(mark) < 0) return content;
      const text = Buffer.from(content).toString("utf8");
      const opener = await box();
      const read = text.replace(sealed, (_, value: string) =>
        opener.open(scope, name, Buffer.from(value, "base64url")),
      );
      return Buffer.from(read, "utf8");
    },
  };
}

// --- internal ---

const [scope, name] = ["document", "value"];
const mark = '"holdfast:sealed:';
const sealed = /"holdfast:sealed:([\w-]+)"/g;

/** As the formats call them (orchestrate-state's `secrets`), in each form that it had. */
const fields = ['"slack_webhook_url"', '"slackWebhookUrl"'];
/** A JSON text, whoever wrote it and with whatever spaces. */
const value = /^\s*:\s*("(?:[^"\\]|\\.)+")/;
/** Longer than any address that is taken. */
const mostBytes = 8_192;

async function sealedChange(change: Change, box: () => Promise<SecretBox>): Promise<Change> {
  const { documents, next } = change;
  if (!documents?.some(hasSecret) && !next?.some((each) => each.documents?.some(hasSecret)))
    return change;
  return {
    ...change,
    ...(documents
      ? { documents: await Promise.all(documents.map((each) => seal(each, box))) }
      : {}),
    ...(next ? { next: await Promise.all(next.map((each) => sealedChange(each, box))) } : {}),
  };
}

function hasSecret({ revision }: DocumentWrite): boolean {
  return revision.content !== null && secretIn(Buffer.from(revision.content)) !== undefined;
}

async function seal(write: DocumentWrite, box: () => Promise<SecretBox>): Promise<DocumentWrite> {
  if (!hasSecret(write) || write.revision.content === null) return write;
  let content = Buffer.from(write.revision.content);
  for (let found = secretIn(content); found !== undefined; found = secretIn(content)) {
    const { at, end } = found;
    const token = content.subarray(at, end).toString("utf8");
    const closed = Buffer.from(await (await box()).seal(scope, name, token)).toString("base64url");
    const text = Buffer.from(`${mark}${closed}"`, "utf8");
    content = Buffer.concat([content.subarray(0, at), text, content.subarray(end)]);
  }
  // What was stored before is sealed, too: a difference to the file would be one to other bytes.
  return { ...write, revision: { ...write.revision, content }, previous: null };
}

/** Where the first one stands that is not sealed yet. */
function secretIn(content: Buffer): { readonly at: number; readonly end: number } | undefined {
  for (const field of fields)
    for (let at = content.indexOf(field); at >= 0; at = content.indexOf(field, at + 1)) {
      const after = at + field.length;
      const window = content.subarray(after, after + mostBytes).toString("latin1");
      const [whole, token] = value.exec(window) ?? [];
      if (whole === undefined || token === undefined || token.startsWith(mark)) continue;
      return { at: after + whole.length - token.length, end: after + whole.length };
    }
  return undefined;
}
