// Agents with structured output print JSON, a message a line. People read what was said and done;
// the lines themselves are one click away. A line that is nothing we know stays as it is.
export interface Readable {
  readonly text: string;
  readonly look: string;
}

/** Null: not a message, or one that we do not know. */
export function readable(line: string): Readable[] | null {
  if (!line.startsWith('{"') || !line.endsWith("}")) return null;
  try {
    return told(JSON.parse(line) as Fields);
  } catch {
    return null;
  }
}

// --- internal ---

type Fields = Readonly<Record<string, unknown>>;

function told(message: Fields): Readable[] | null {
  switch (message["type"]) {
    case "assistant":
      return partsOf(message).flatMap(said);
    case "user":
      return partsOf(message).flatMap(returned);
    case "system":
      return [
        { text: `· ${word(message["subtype"])} ${word(message["model"])}`.trim(), look: "sgr-d" },
      ];
    case "result":
      return [{ text: `· ${word(message["subtype"])}`, look: "sgr-b sgr-2" }];
    // Sent along the way: what they carry comes again as a whole.
    case "stream_event":
    case "rate_limit_event":
    case "control_request":
    case "control_response":
      return [];
    default:
      return null;
  }
}

function partsOf({ message }: Fields): Fields[] {
  const content = isFields(message) ? message["content"] : undefined;
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isFields) : [];
}

function said(part: Fields): Readable[] {
  if (part["type"] === "text") return lines(word(part["text"]), "");
  if (part["type"] !== "tool_use") return [];
  const input = isFields(part["input"]) ? part["input"] : {};
  const about = ["command", "file_path", "path", "pattern", "description", "url"]
    .map((name) => word(input[name]))
    .find((text) => text !== "");
  return [{ text: `▸ ${word(part["name"])} ${about ?? ""}`.trimEnd(), look: "sgr-4" }];
}

/** What a tool gave back, in one line. */
function returned(part: Fields): Readable[] {
  if (part["type"] !== "tool_result") return [];
  const { content } = part;
  const text = typeof content === "string" ? content : JSON.stringify(content ?? "");
  const [first = ""] = text.split("\n", 1);
  return [
    { text: `  ${first.slice(0, 200)}`, look: part["is_error"] === true ? "sgr-1" : "sgr-d" },
  ];
}

function lines(text: string, look: string): Readable[] {
  return text.split("\n").map((line) => ({ text: line, look }));
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function word(value: unknown): string {
  return typeof value === "string" ? value : "";
}
