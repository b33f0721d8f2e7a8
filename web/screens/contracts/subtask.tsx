// A subtask: its gates with what was found about each thing, the tests it is bound to, and what the
// engine saw when it ran them.
import type { TestContract } from "../../../src/formats/test-contract.ts";
import type { TestResult } from "../../../src/formats/test-result.ts";
import { gateNames } from "../../../src/core/vocabulary.ts";
import { Age } from "../../parts/figures.tsx";
import { Icon } from "../../parts/icons.tsx";
import { sayWord, useSay } from "../../texts/index.ts";
import { Badge, Head, Nothing, Section } from "../documents/parts.tsx";
import { Damaged, Notices } from "../documents/said.tsx";
import { Fields, Points, useCut } from "../documents/value.tsx";
import { type GateRecord, type Subtask, broken } from "./model.ts";

export function SubtaskPane({ subtask }: { subtask: Subtask }) {
  const say = useSay();
  const { id, name, status, phase, contract, result } = subtask;
  return (
    <>
      <Head title={name} id={id} status={status}>
        {phase === null ? null : <span>{sayWord(say, "subtask_phase", phase)}</span>}
      </Head>
      {broken(contract, result).map((document) => (
        <Damaged key={document.path} of={document} />
      ))}
      <Gates subtask={subtask} />
      {result?.value == null ? null : <Result result={result.value} />}
      {contract?.value == null ? null : (
        <Section title={say("contracts.test_contract")}>
          <Notices of={contract.document} />
          <Tests contract={contract.value} />
        </Section>
      )}
      {status === "pending" && contract === undefined ? (
        <Nothing>{say("contracts.subtask.none")}</Nothing>
      ) : null}
    </>
  );
}

// --- internal ---

/** In the order in which they are passed (S4.4). */
const order = [gateNames[0], gateNames[2], gateNames[3], gateNames[1]] as const;

function Gates({ subtask: { gates, records } }: { subtask: Subtask }) {
  const say = useSay();
  return (
    <Section title={say("contracts.gates")}>
      <ol className="grid">
        {order.map((gate) => {
          const record = records.find((each) => each.gate === gate);
          const status = gates[gate];
          return (
            <li key={gate} className="grid gap-1.5 border-b border-line py-2 last:border-b-0">
              <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                <span className="text-xs font-semibold whitespace-nowrap">{gate}</span>
                <span className="min-w-0 text-sm">{say(`contracts.${gate}`)}</span>
                <span className="ml-auto flex items-center gap-2 text-xs text-muted">
                  {record === undefined ? null : <Age since={record.at} />}
                  <Badge status={status ?? "none"} />
                </span>
              </div>
              {record === undefined ? null : <Verdicts record={record} />}
            </li>
          );
        })}
      </ol>
    </Section>
  );
}

function Verdicts({ record: { verdicts, uncovered } }: { record: GateRecord }) {
  const say = useSay();
  if (verdicts.length + uncovered.length === 0) return null;
  return (
    <ul className="grid gap-1.5 text-sm">
      {verdicts.map(({ item, holds, why, by }, place) => (
        <li key={place} className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-2">
          <span data-tone={holds ? "done" : "fail"} className="pt-1 text-(--fg)">
            <Icon name={holds ? "check" : "cross"} className="size-3.5" />
            <span className="sr-only">
              {holds ? say("contracts.holds") : say("contracts.broken")}
            </span>
          </span>
          <p className="wrap-anywhere">
            <span className="font-medium">{item}</span>{" "}
            <span className="text-xs text-muted">{say(`contracts.by.${by}`)}</span>
            {why === "" ? null : <span className="block text-muted">{why}</span>}
          </p>
        </li>
      ))}
      {uncovered.map((text, place) => (
        <li key={place} className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-2 text-muted">
          <span className="pt-1">
            <Icon name="dashed" className="size-3.5" />
          </span>
          <span className="wrap-anywhere">
            {say("contracts.uncovered")} {text}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Result({ result }: { result: TestResult }) {
  const say = useSay();
  const { execution, summary, failed_tests: failed, recommendation } = result;
  return (
    <Section title={say("contracts.result")}>
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm">
        <Badge status={execution.result} />
        <code className="text-code wrap-anywhere">{execution.command}</code>
        <Age since={execution.timestamp} className="text-xs text-muted" />
      </div>
      <Fields
        rows={[
          [say("contracts.sums"), say("contracts.sums.of", { ...summary })],
          [
            say("contracts.recommends"),
            <>
              {sayWord(say, "recommends", recommendation.action)}
              {recommendation.reason === "" ? null : (
                <span className="block text-muted">{recommendation.reason}</span>
              )}
            </>,
          ],
        ]}
      />
      {failed.length === 0 ? null : (
        <ul className="grid gap-1.5 text-sm">
          {failed.map(({ id, name, category, message }, place) => (
            <li key={place} data-tone="fail" className="rounded-control bg-(--tint) px-3 py-2">
              <p className="flex flex-wrap items-baseline gap-x-2 text-(--fg)">
                <span className="font-mono text-xs">{id}</span>
                <span className="font-medium wrap-anywhere">{name}</span>
                <span className="text-xs">{sayWord(say, "failed_test", category)}</span>
              </p>
              <p className="wrap-anywhere whitespace-pre-wrap">{message}</p>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Tests({ contract }: { contract: TestContract }) {
  const say = useSay();
  const [cases, more] = useCut(contract.test_cases);
  return (
    <>
      <Fields
        rows={[
          [
            say("contracts.test_file"),
            <code key="file" className="text-code">
              {contract.test_file_path}
            </code>,
          ],
          [
            say("contracts.targets"),
            contract.coverage_targets.length === 0 ? null : (
              <Points key="targets" of={contract.coverage_targets} />
            ),
          ],
        ]}
      />
      <ul className="grid">
        {cases.map((each) => (
          <li key={each.id} className="grid gap-1 border-b border-line py-2.5 last:border-b-0">
            <p className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-mono text-xs text-muted">{each.id}</span>
              <span className="font-medium wrap-anywhere">{each.name}</span>
              <span className="ml-auto text-xs text-muted">
                {sayWord(say, "test_case", each.category)}
              </span>
            </p>
            <Fields
              rows={[
                [say("contracts.target"), each.target],
                [say("contracts.given"), each.given],
                [say("contracts.when"), each.when],
                [say("contracts.then"), each.then],
              ]}
            />
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}
