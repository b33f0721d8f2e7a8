/** How long a test looks for what has to come, in milliseconds: only what hangs should meet it. */
export const patience = 300_000;
