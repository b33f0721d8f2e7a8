// Figures as people read them, the same in every command: 3m10s, 48k, $0.21.

export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  if (hours > 0) return `${hours}h${padded(minutes)}m`;
  return minutes > 0 ? `${minutes}m${padded(seconds % 60)}s` : `${seconds}s`;
}

/** What may be less than a second: 40ms, 1.2s, then as above. */
export function shortText(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)}ms`;
  return milliseconds < 10_000
    ? `${(milliseconds / 1_000).toFixed(1)}s`
    : durationText(milliseconds);
}

export function countText(count: number): string {
  if (count < 1_000) return String(count);
  return count < 1_000_000 ? `${rounded(count / 1_000)}k` : `${rounded(count / 1_000_000)}M`;
}

/** What is less than a cent was still spent. */
export function moneyText(dollars: number): string {
  return dollars > 0 && dollars < 0.01 ? "<$0.01" : `$${dollars.toFixed(2)}`;
}

// --- internal ---

function padded(count: number): string {
  return String(count).padStart(2, "0");
}

function rounded(count: number): string {
  return count < 10 ? String(Math.round(count * 10) / 10) : String(Math.round(count));
}
