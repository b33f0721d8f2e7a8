// The holder: a small shell process between us and an agent. It survives our death, so that the
// agent does; it costs about 0.35 MB with its feeder, one process, and nothing while it waits.
//
//   holder ──┬── agent    stdin ◀── p ◀── feeder, stdout ──▶ out, stderr ──▶ err
//            └── feeder   in ──cat──▶ p; then waits at `wake` until there is more, or `close`
//
// - The claim is made by the holder, not by us: if we die before it, the next start makes one; if
//   it stands already, whoever comes second leaves. So a start may be repeated.
// - Each process writes down who it is by itself, before it becomes the agent: no moment is left
//   in which its number could pass to a stranger unseen.
// - The feeder opens `wake` for reading and writing before it looks at `in`: a poke is kept until it
//   is read, and one that finds nobody there is not needed. `tail -f` would lose what it has read
//   and not yet passed on when it is ended, and takes one of a user's 128 inotify instances.
// - It catches signals rather than ignoring them: what is ignored stays ignored in the agent.
// - Variables are called holdfast_*: a shell exports what it found in its environment, changed.
// - Files that we inherited ourselves are closed as far as a shell can: somebody may wait for their end.
// - Nothing is killed by number here. A shell may have reaped the feeder long ago.
import { spawn } from "node:child_process";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { identifyInShell } from "../os/processes.ts";
import { placeOfOurs } from "./run.ts";

export interface Launch {
  readonly shell: string;
  readonly folder: string;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** As soon as the process exists. */
  readonly spawned: () => void;
}

/** Starts a holder; resolves when it has claimed the run, was refused, or failed. */
export function launch({ shell, folder, command, cwd, env, spawned }: Launch): Promise<void> {
  return new Promise((done, failed) => {
    const fail = (cause: unknown): void => {
      const detail = cause instanceof Error ? cause.message : String(cause);
      const hint = msg("run.cannot_start.hint");
      failed(new Fault("internal", msg("run.cannot_start", { detail }), { hint, cause }));
    };
    try {
      // Its own session: neither Ctrl-C nor a closed terminal reaches it. Its output is a pipe
      // that nobody writes to: it closes when the holder has decided.
      const [program = "", ...words] = holderCommand(shell, folder, command);
      const child = spawn(program, words, {
        cwd,
        env,
        detached: true,
        stdio: ["ignore", "pipe", "ignore"],
      });
      child.once("error", fail);
      if (child.pid === undefined) return;
      child.unref();
      child.stdout.once("close", done).resume();
      spawned();
    } catch (cause) {
      fail(cause);
    }
  });
}

/** What is started: the holder, with what it shall hold. */
export function holderCommand(
  shell: string,
  folder: string,
  command: readonly string[],
): readonly string[] {
  return [shell, "-c", script, "holdfast", folder, placeOfOurs(), ...command];
}

// --- internal ---

const identify = identifyInShell("holdfast_s");

const script = `
exec 2>>"$1/log" 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
holdfast_d=$1 holdfast_p=$2
shift 2
${identify}
set -C
printf '%s\\n%s\\n' "$holdfast_p" "$holdfast_s" >"$holdfast_d/claim" || exit 75
set +C
exec >/dev/null
trap : HUP INT TERM
mkfifo "$holdfast_d/p" "$holdfast_d/wake" || exit 74
(
  exec 3<"$holdfast_d/in" 4<>"$holdfast_d/wake" >"$holdfast_d/p"
  while cat <&3; do
    if [ -e "$holdfast_d/close" ]; then cat <&3; exit; fi
    read -r holdfast_s <&4
  done
) &
(
  ${identify}
  printf '%s\\n%s\\n' "$holdfast_p" "$holdfast_s" >"$holdfast_d/pid" && exec "$@"
) <"$holdfast_d/p" >>"$holdfast_d/out" 2>>"$holdfast_d/err"
echo $? >"$holdfast_d/exit"
: >>"$holdfast_d/close"
echo 1<>"$holdfast_d/wake"
wait
`;
