// What was given to a task (S1.13), by name.
import type { Store } from "../store/database/store.ts";
import type { SecretBox } from "../store/secrets.ts";

export async function secretValues(
  store: Store,
  box: SecretBox,
  scope: string,
): Promise<Record<string, string>> {
  const rows = await store.secrets(scope);
  return Object.fromEntries(
    rows.flatMap(({ name, content }) =>
      content === null ? [] : [[name, box.open(scope, name, content)]],
    ),
  );
}
