// Writes src/store/database/schema.sql, the schema as the migrations make it, so that it can be
// read in one place: `node scripts/run-ts.mjs scripts/write-schema.ts`. A test says when it is old.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../src/store/database/_sqlite-open.ts";
import { loadDriver } from "../src/store/database/driver.ts";

export const schemaPath = join(import.meta.dirname, "../src/store/database/schema.sql");

export function schemaOf(): string {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-schema-"));
  const database = loadDriver()(join(folder, "schema.db"));
  try {
    migrate("schema.db", database);
    const rows = database
      .prepare(
        `select sql from sqlite_schema where sql is not null and name not like 'sqlite_%'
         order by tbl_name, type desc, name`,
      )
      .all() as { sql: string }[];
    const { user_version: version } = database.prepare("pragma user_version").get() as {
      user_version: number;
    };
    const head = `-- Written by scripts/write-schema.ts; user_version ${version}.\n`;
    return [head, ...rows.map(({ sql }) => `${sql};\n`)].join("\n");
  } finally {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1]?.endsWith("write-schema.ts")) writeFileSync(schemaPath, schemaOf());
