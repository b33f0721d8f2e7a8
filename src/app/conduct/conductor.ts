// What a workflow is to who conducts it: where it stands, and a way to tell it what happened. Both go
// through the workflow's documents on the disk, so that sessions and a headless run share one truth.
import type { OrderOutcome, Orders } from "../../workflows/orders.ts";
import type { Context } from "../operation.ts";

export interface Conductor {
  /** What should be under way now. `taskId`: the run's row. */
  orders(context: Context, taskId: string): Promise<Orders>;
  /** An order of the run was begun: a unit is claimed, an iteration counted. Told twice, it counts once. */
  begin(context: Context, taskId: string, key: string): Promise<boolean>;
  /**
   * Written and journaled in one commit. Told twice, it counts once. A text: the run is to wait, with
   * this as the reason, until a person lets it go on.
   */
  take(context: Context, taskId: string, outcome: OrderOutcome): Promise<string | void>;
}
