// The schemas of the operations by name, for the build alone (scripts/generate/operations.ts).
import type { z } from "zod";
import type { OperationName } from "./operations.ts";
import * as doctor from "./operations/doctor.ts";
import * as init from "./operations/init.ts";
import * as log from "./operations/log.ts";
import * as schema from "./operations/schema.ts";
import * as status from "./operations/status.ts";
import * as validate from "./operations/validate.ts";
import * as why from "./operations/why.ts";

export interface OperationSchemas {
  readonly input: () => z.ZodType;
  readonly output: () => z.ZodType;
}

export const schemas: Readonly<Record<OperationName, OperationSchemas>> = {
  init,
  status,
  why,
  log,
  doctor,
  validate,
  schema,
};
