// What every process of a run finds in its environment, and passes on to those it starts.

/** Which run it belongs to. */
export const tagName = "HOLDFAST_RUN";
export const homeName = "HOLDFAST_HOME";
/** Proves that a call comes from inside the run: it was told to nobody else. */
export const proofName = "HOLDFAST_RUN_TOKEN";
/** Which process of ours started it: while that one lives, nobody else sweeps it away. */
export const starterName = "HOLDFAST_STARTER";
/** After a compaction the run's own hook tells where the work stands: the plugin's need not. */
export const toldName = "HOLDFAST_TOLD";
