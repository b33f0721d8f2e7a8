// SipHash-2-4 of 128 bits: who does not know the key can neither foresee it nor find another content for
// it. Some hundred bytes of WebAssembly, for who must not wait for node:crypto: that takes 4 ms to load, half
// of what a hook may cost (docs/adr/0010).

export const keyBytes = 16;

/** In hexadecimal digits, the same for any `turns`: see below. */
export function siphash(key: Uint8Array, bytes: Uint8Array, turns: Turns = "turned"): string {
  const { memory, mix } = (made[turns] ??= make(codes[turns]));
  for (let n = 0; n < state; n++) memory[n] = begin.charCodeAt(n) ^ (key[n % keyBytes] ?? 0);
  memory[second] = (memory[second] ?? 0) ^ 0xee;
  const whole = bytes.length - (bytes.length % 8);
  for (let at = 0; at < whole; at += room) {
    const part = bytes.subarray(at, Math.min(at + room, whole));
    memory.set(part, state);
    mix(state, state + part.length);
  }
  // What is left over, and in the last place the length.
  memory.fill(0, state, state + 8);
  memory.set(bytes.subarray(whole), state);
  memory[state + 7] = bytes.length & 0xff;
  mix(state, state + 8);
  memory.fill(0, state, state + 16);
  memory[third] = (memory[third] ?? 0) ^ 0xee;
  mix(state, state + 16);
  const one = folded(memory);
  memory[second] = (memory[second] ?? 0) ^ 0xdd;
  mix(state, state + 16);
  return one + folded(memory);
}

// --- internal ---

interface Made {
  readonly memory: Uint8Array;
  readonly mix: (from: number, to: number) => void;
}

/** Four numbers of eight bytes, the smallest first; what is mixed into them lies behind. */
const state = 32;
const [second, third] = [8, 16];
const room = 64 * 1024 - state;
/** "somepseudorandomlygeneratedbytes", each eight of it from behind. */
const begin = "uespemosmodnarodarenegylsetybdet";
/**
 * Made by scripts/write-siphash.ts, with what rotates once as an instruction and once as two shifts. V8's first
 * compiler calls a function of C for the instruction and is six times slower with it, its second is faster by a third.
 */
export const codes = {
  turned:
    "AGFzbQEAAAABBgFgAn9/AAMCAQAFBAEBAQEHEAIGbWVtb3J5AgADbWl4AAAKrgIBqwIBBX5BACkDACECQQApAwghA0EAKQMQIQRBACkDGCEFAkADQCAAIAFPDQEgACkDACEGIAUgBoUhBSACIAN8IQIgBCAFfCEEIANCDYkhAyAFQhCJIQUgAyAChSEDIAUgBIUhBSACQiCJIQIgBCADfCEEIAIgBXwhAiADQhGJIQMgBUIViSEFIAMgBIUhAyAFIAKFIQUgBEIgiSEEIAIgA3whAiAEIAV8IQQgA0INiSEDIAVCEIkhBSADIAKFIQMgBSAEhSEFIAJCIIkhAiAEIAN8IQQgAiAFfCECIANCEYkhAyAFQhWJIQUgAyAEhSEDIAUgAoUhBSAEQiCJIQQgAiAGhSECIABBCGohAAwACwtBACACNwMAQQAgAzcDCEEAIAQ3AxBBACAFNwMYCw==",
  shifted:
    "AGFzbQEAAAABBgFgAn9/AAMCAQAFBAEBAQEHEAIGbWVtb3J5AgADbWl4AAAK9gIB8wIBBX5BACkDACECQQApAwghA0EAKQMQIQRBACkDGCEFAkADQCAAIAFPDQEgACkDACEGIAUgBoUhBSACIAN8IQIgBCAFfCEEIANCDYYgA0IziIQhAyAFQhCGIAVCMIiEIQUgAyAChSEDIAUgBIUhBSACQiCGIAJCIIiEIQIgBCADfCEEIAIgBXwhAiADQhGGIANCL4iEIQMgBUIVhiAFQiuIhCEFIAMgBIUhAyAFIAKFIQUgBEIghiAEQiCIhCEEIAIgA3whAiAEIAV8IQQgA0INhiADQjOIhCEDIAVCEIYgBUIwiIQhBSADIAKFIQMgBSAEhSEFIAJCIIYgAkIgiIQhAiAEIAN8IQQgAiAFfCECIANCEYYgA0IviIQhAyAFQhWGIAVCK4iEIQUgAyAEhSEDIAUgAoUhBSAEQiCGIARCIIiEIQQgAiAGhSECIABBCGohAAwACwtBACACNwMAQQAgAzcDCEEAIAQ3AxBBACAFNwMYCw==",
};

export type Turns = keyof typeof codes;

/** As much of it as is used: the types of a browser are not for us. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

const made: Partial<Record<Turns, Made>> = {};

function make(code: string): Made {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(code, "base64")));
  const { memory, mix } = exports as {
    memory: { readonly buffer: ArrayBuffer };
    mix: Made["mix"];
  };
  return { memory: new Uint8Array(memory.buffer), mix };
}

/** The four as one. */
function folded(memory: Uint8Array): string {
  let text = "";
  for (let n = 0; n < 8; n++) {
    const byte =
      (memory[n] ?? 0) ^ (memory[n + 8] ?? 0) ^ (memory[n + 16] ?? 0) ^ (memory[n + 24] ?? 0);
    text += byte.toString(16).padStart(2, "0");
  }
  return text;
}
