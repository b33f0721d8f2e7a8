// A task of a request: what it has to achieve (brief), and the design that everyone after it is bound to.
import type { ReactNode } from "react";
import type { DesignBrief } from "../../../src/formats/design-brief.ts";
import type { DesignContract } from "../../../src/formats/design-contract.ts";
import { Icon } from "../../parts/icons.tsx";
import { sayWord, useSay } from "../../texts/index.ts";
import { Head, Nothing, Section } from "../documents/parts.tsx";
import { Damaged } from "../documents/said.tsx";
import { Fields, Points } from "../documents/value.tsx";
import { type Task, broken } from "./model.ts";

export function TaskPane({ task }: { task: Task }) {
  const say = useSay();
  const { id, name, status, brief, design } = task;
  return (
    <>
      <Head title={name} id={id} status={status} since={design?.value?.created_at ?? null} />
      {broken(brief, design).map((document) => (
        <Damaged key={document.path} of={document} />
      ))}
      {brief?.value == null ? null : <Brief brief={brief.value} />}
      {design?.value == null ? null : <Design design={design.value} />}
      {brief === undefined && design === undefined ? (
        <Nothing>{say("contracts.task.none")}</Nothing>
      ) : null}
    </>
  );
}

// --- internal ---

function points(of: readonly string[]): ReactNode {
  return of.length === 0 ? null : <Points of={of} />;
}

function Brief({ brief }: { brief: DesignBrief }) {
  const say = useSay();
  return (
    <Section title={say("contracts.brief")}>
      <Fields
        rows={[
          [say("contracts.objective"), brief.objective],
          [say("contracts.criteria"), points(brief.completion_criteria)],
          [say("contracts.scope_in"), points(brief.scope_in)],
          [say("contracts.scope_out"), points(brief.scope_out)],
          [say("contracts.files"), files(brief.file_refs)],
        ]}
      />
    </Section>
  );
}

function Design({ design }: { design: DesignContract }) {
  const say = useSay();
  return (
    <Section title={say("contracts.design")}>
      <Fields
        rows={[
          [say("contracts.invariants"), invariants(design.invariants)],
          [say("contracts.interfaces"), interfaces(design.interfaces)],
          [say("contracts.boundaries"), <Boundaries key="boundaries" of={design.boundaries} />],
          [
            say("contracts.layers"),
            design.layer_assignments.length === 0 ? null : (
              <Layers key="layers" of={design.layer_assignments} />
            ),
          ],
          [say("contracts.files"), files(design.file_refs)],
        ]}
      />
    </Section>
  );
}

function invariants(of: DesignContract["invariants"]): ReactNode {
  if (of.length === 0) return null;
  return (
    <ul className="grid gap-1">
      {of.map(({ id, rule }) => (
        <li key={id}>
          <span className="mr-2 font-mono text-xs text-muted">{id}</span>
          {rule}
        </li>
      ))}
    </ul>
  );
}

type Shape = DesignContract["interfaces"][number]["input"];

function shape({ type, fields = [] }: Shape): string {
  const inside = fields.map((field) => `${field.name}: ${field.type}`).join(", ");
  return inside === "" ? type : `${type} { ${inside} }`;
}

function interfaces(of: DesignContract["interfaces"]): ReactNode {
  if (of.length === 0) return null;
  return (
    <ul className="grid gap-2">
      {of.map(({ name, input, output, contract }, place) => (
        <li key={place} className="grid gap-0.5">
          <code className="text-code wrap-anywhere">
            <span className="font-semibold">{name}</span>({shape(input)}) → {shape(output)}
          </code>
          {contract === "" ? null : <span className="text-muted">{contract}</span>}
        </li>
      ))}
    </ul>
  );
}

function Boundaries({ of }: { of: DesignContract["boundaries"] }) {
  const say = useSay();
  if (of.length === 0) return <span className="text-muted">{say("docs.none")}</span>;
  return (
    <ul className="grid gap-1">
      {of.map(({ from, to, allowed, note }, place) => (
        <li key={place} className="flex flex-wrap items-center gap-x-2">
          <span data-tone={allowed ? "done" : "fail"} className="text-(--fg)">
            <Icon name={allowed ? "check" : "cross"} className="size-3.5" />
          </span>
          <span className="wrap-anywhere">
            {from} → {to}
          </span>
          <span className="text-xs text-muted">
            {allowed ? say("contracts.allowed") : say("contracts.forbidden")}
            {note === undefined ? "" : ` · ${note}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Layers({ of }: { of: DesignContract["layer_assignments"] }) {
  const say = useSay();
  return (
    <ul className="grid gap-1">
      {of.map(({ component, layer }, place) => (
        <li key={place} className="flex flex-wrap gap-x-2">
          <span className="wrap-anywhere">{component}</span>
          <span className="text-muted">{sayWord(say, "layer", layer)}</span>
        </li>
      ))}
    </ul>
  );
}

function files(of: DesignContract["file_refs"]): ReactNode {
  return of.length === 0 ? null : <Files of={of} />;
}

function Files({ of }: { of: DesignContract["file_refs"] }) {
  const say = useSay();
  return (
    <ul className="grid gap-1">
      {of.map(({ entity, path, status }, place) => (
        <li key={place} className="flex flex-wrap items-baseline gap-x-2">
          <code className="text-code wrap-anywhere">{path}</code>
          <span className="text-xs text-muted">
            {entity} · {sayWord(say, "file_ref", status)}
          </span>
        </li>
      ))}
    </ul>
  );
}
