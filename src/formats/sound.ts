// A document of which there is nothing to say but that it is sound: all that a look needs, and with a
// twentieth of the code of a codec, which is loaded to say what is wrong (docs/adr/0010).
import { parsePlain } from "./_json-plain.ts";
import type { SoundName } from "./places.ts";
import type { Documents } from "./registry.ts";
import { loadSound } from "./validators.ts";

/** Undefined: not as we print it, of another version, or not sound; the codec knows which. */
export async function readSound<N extends SoundName>(
  name: N,
  bytes: Uint8Array,
): Promise<Documents[N] | undefined> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
  // What stands for a byte that is none of UTF-8; or was written so.
  const plain = text.includes("\uFFFD") ? undefined : parsePlain(text);
  if (plain === undefined) return undefined;
  const isValid = await loadSound(name);
  if (!isValid?.(plain.value)) return undefined;
  const value = plain.value as Documents[N];
  return (await followsRules(name, value)) ? value : undefined;
}

// --- internal ---

/** A schema says which version it is for, so that what is valid has it. */
async function followsRules<N extends SoundName>(name: N, value: Documents[N]): Promise<boolean> {
  if (name === "orchestrate-state") {
    const { hasSoundUnits } = await import("./_orchestrate-sound.ts");
    return hasSoundUnits(value as Documents["orchestrate-state"]);
  }
  const { formats } = await import("./registry.ts");
  return !(formats[name].rules?.(value) ?? []).some(({ level }) => level === "error");
}
