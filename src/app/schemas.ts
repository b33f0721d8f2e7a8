// The schemas of the operations by name, for the build alone (scripts/generate/operations.ts).
import type { z } from "zod";
import type { OperationName } from "./operations.ts";
import * as schema from "./operations/schema.ts";
import * as validate from "./operations/validate.ts";

export interface OperationSchemas {
  readonly input: () => z.ZodType;
  readonly output: () => z.ZodType;
}

export const schemas: Readonly<Record<OperationName, OperationSchemas>> = { validate, schema };
