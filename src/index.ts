// The public API: reading and checking Holdfast's documents, its machines, its protocol.
export { Fault, type Code } from "./core/errors.ts";
export { type Language, type Message, render } from "./core/messages.ts";
export { type Codec, type Read, loadCodec } from "./formats/codec.ts";
export type { Finding } from "./formats/format.ts";
export { type Documents, type FormatName, formatNames, formatOfPath } from "./formats/registry.ts";
