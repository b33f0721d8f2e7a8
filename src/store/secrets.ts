// Secrets at rest (S6.6): AES-256-GCM with one random key beside the database, for its user alone.
//
// The key protects against a copied or shared database, not against who may read Holdfast's folder.
// A sealed value is bound to its scope and name: a row moved to another task does not open there.
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { asFault, codeOf, realDisk } from "./disk.ts";

export interface SecretBox {
  /** Makes the key where there is none yet. */
  seal(scope: string, name: string, value: string): Promise<Uint8Array>;
  /** A Fault if the content was changed, belongs to another name, or the key is not the one. */
  open(scope: string, name: string, content: Uint8Array): string;
  /** What only we can have handed out for this name: the same each time, and kept nowhere. */
  proof(scope: string, name: string): Promise<string>;
}

export function openSecretBox(home: string): SecretBox {
  const path = join(home, "secret.key");
  let key: Uint8Array | undefined;
  return {
    seal: async (scope, name, value) => {
      key ??= readKey(path) ?? (await makeKey(path));
      return seal(key, bound(scope, name), value);
    },
    open: (scope, name, content) => {
      key ??= readKey(path);
      if (key === undefined)
        throw new Fault("corrupt", msg("secret.no_key", { path, name }), {
          hint: msg("secret.no_key.hint"),
        });
      const value = unseal(key, bound(scope, name), content);
      if (value === undefined)
        throw new Fault("corrupt", msg("secret.not_opened", { path, name }), {
          hint: msg("secret.not_opened.hint"),
        });
      return value;
    },
    proof: async (scope, name) => {
      key ??= readKey(path) ?? (await makeKey(path));
      // With a key of its own: what opens secrets never meets what is handed out.
      const own = createHmac("sha256", key).update("holdfast proof").digest();
      return createHmac("sha256", own).update(bound(scope, name)).digest("base64url");
    },
  };
}

// --- internal ---

const algorithm = "aes-256-gcm";
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
/** Of the layout: version, nonce, tag, the encrypted value. */
const version = 1;

/** Both texts with their border: ("a", "bc") must not look like ("ab", "c"). */
function bound(scope: string, name: string): Uint8Array {
  return Buffer.from(JSON.stringify([scope, name]), "utf8");
}

function seal(key: Uint8Array, about: Uint8Array, value: string): Uint8Array {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(about);
  const box = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), box]);
}

function unseal(key: Uint8Array, about: Uint8Array, content: Uint8Array): string | undefined {
  const body = 1 + nonceBytes + tagBytes;
  if (content.length < body || content[0] !== version) return undefined;
  const nonce = content.subarray(1, 1 + nonceBytes);
  const cipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(about);
  cipher.setAuthTag(content.subarray(1 + nonceBytes, body));
  try {
    const value = Buffer.concat([cipher.update(content.subarray(body)), cipher.final()]);
    return value.toString("utf8");
  } catch {
    return undefined;
  }
}

/** undefined: there is none yet. */
function readKey(path: string): Uint8Array | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const { mode, uid, size } = stats;
  const foreign = uid !== (process.getuid?.() ?? uid);
  if (stats.isFile() && (foreign || (mode & 0o077) !== 0))
    throw new Fault("refused", msg("secret.key_open", { path }), {
      hint: msg("secret.key_open.hint", { path }),
    });
  if (stats.isFile() && size !== keyBytes)
    throw new Fault("corrupt", msg("secret.key_size", { path, size, wanted: keyBytes }), {
      hint: msg("secret.no_key.hint"),
    });
  // Whatever else stands there (a link, a pipe) is refused by the reader.
  return realDisk.read(path, keyBytes) ?? undefined;
}

/**
 * Written whole and synced under another name, then linked: nobody ever reads half a key, and of
 * two processes that make one at once, both go on with the first.
 */
async function makeKey(path: string): Promise<Uint8Array> {
  const draft = `${path}.${randomBytes(8).toString("hex")}.tmp`;
  try {
    const handle = realDisk.create(draft, randomBytes(keyBytes), 0o600);
    try {
      await realDisk.sync(handle);
    } finally {
      realDisk.close(handle);
    }
    linkIfFree(draft, path);
    realDisk.remove(draft);
    realDisk.syncFolder(dirname(path));
  } catch (cause) {
    realDisk.remove(draft);
    // Another process was faster, and swept what it took for a dead one's.
    if (readKey(path) === undefined) throw asFault(path, cause);
  }
  const key = readKey(path);
  if (key === undefined) throw new Fault("internal", msg("secret.key_gone", { path }));
  return key;
}

function linkIfFree(draft: string, path: string): void {
  try {
    realDisk.link(draft, path);
  } catch (cause) {
    if (codeOf(cause) !== "EEXIST") throw cause;
  }
}
