// Some steps are a person's alone: an agent that reports one is refused.
import { msg } from "../messages.ts";
import type { Verdict } from "../machine.ts";

export function byPerson(facts: { readonly byPerson: boolean }): Verdict {
  return facts.byPerson || msg("machine.person_only");
}
