// Is it a limit of the account, rather than a failure of the work? It takes no attempt (S2.5).

/** In the words of agents and their services; a session tells it in its own. */
export function isRateLimit(reason: string): boolean {
  return words.test(reason.slice(0, 2_000));
}

// --- internal ---

const words =
  /\brate[ _-]?limit|\busage limit|\bquota (?:exceeded|reached)|\btoo many requests\b|\b(?:http|status|code|error)[ :]{1,3}429\b|\boverloaded\b|사용량 한도|요청 한도|호출 한도/i;
