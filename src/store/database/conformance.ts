// What every engine of the database has to do: one suite, run by each engine's own test.
//
// No program imports this file. `open` makes a new, empty store; `reopen` closes it and opens it
// again, as a restart would; `second` opens it once more beside the first, as another process does.
import { afterEach, beforeEach, describe } from "vitest";
import { testChanges } from "./_conformance-changes.ts";
import { testDocuments } from "./_conformance-documents.ts";
import { testKept } from "./_conformance-kept.ts";
import { testLeases } from "./_conformance-leases.ts";
import { testModel } from "./_conformance-model.ts";
import { testReading } from "./_conformance-reading.ts";
import type { Opened, Subject } from "./_conformance-samples.ts";

export function testStore(name: string, open: () => Promise<Opened>): void {
  // oxlint-disable-next-line vitest/valid-title -- the engine's name
  describe(name, () => {
    let opened: Opened | undefined;
    const current = (): Opened => {
      if (opened === undefined) throw new Error("no store is open");
      return opened;
    };
    const subject: Subject = {
      get store() {
        return current().store;
      },
      get opened() {
        return current();
      },
      open,
    };
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(async () => {
      await opened?.drop();
      opened = undefined;
    });
    describe("a change", () => {
      testChanges(subject);
    });
    describe("reading", () => {
      testReading(subject);
    });
    describe("a lease", () => {
      testLeases(subject);
    });
    describe("a document", () => {
      testDocuments(subject);
    });
    describe("what is kept", () => {
      testKept(subject);
    });
    describe("any history", () => {
      testModel(subject);
    });
  });
}
