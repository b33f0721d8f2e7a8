// Is a provided value one that its type can hold? (S1.12, S1.15)
//
// Names and secrets: the value itself is never put into a message.
import { msg } from "../messages.ts";
import type { Verdict } from "../machine.ts";
import type { DependencyType } from "../vocabulary.ts";

export interface ProvidedValue {
  readonly value?: string;
  readonly confirmed?: boolean;
}

/**
 * A yes or no and the name of a package are nobody's secret: they stay in the open, and files and
 * output may hold them. Everything else is sealed (S6.6).
 */
export function isSecret(type: DependencyType): boolean {
  return type !== "permission" && type !== "package";
}

// `@scope/name@1.2.3`: npm's form, and any manager's that writes name@version.
const nameAtVersion = /^(?:@[\w.-]+\/)?[\w.-]+(?:\/[\w.-]+)*@[\w.+~^<>=*-]+$/;

export function validValue(type: DependencyType | null, provided: ProvidedValue): Verdict {
  const value = (provided.value ?? "").trim();
  if (type === null) return msg("dependency.none");
  if (value === "") return msg("dependency.needs_value");
  // A variable ends at the first NUL; a file's content is not the variable's value, its path is.
  if (type !== "file" && value.includes("\0")) return msg("dependency.has_nul");
  if (type === "permission") return /^(?:yes|no)$/.test(value) || msg("dependency.yes_or_no");
  if (type === "package") {
    if (!nameAtVersion.test(value)) return msg("dependency.name_at_version");
    return provided.confirmed === true || msg("dependency.unconfirmed");
  }
  return true;
}
