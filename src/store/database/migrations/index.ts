// Numbered, in order, each applied once; the database counts them in its user_version. One that
// has been released is never changed: what follows is a new file and a new line.
import begin from "./0001-begin.ts";
import rules from "./0002-rules.ts";
import memo from "./0003-memo.ts";
import rows from "./0004-rows.ts";
import whole from "./0005-whole.ts";
import ended from "./0006-ended.ts";

export const migrations: readonly string[] = [begin, rules, memo, rows, whole, ended];
