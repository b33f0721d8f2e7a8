// Without a session there is nothing to show but how to get one.
import { Button } from "./parts/basics.tsx";
import { Brand } from "./parts/icons.tsx";
import { useSay } from "./texts/index.ts";

export function Closed({ why }: { why: "none" | "refused" | "offline" }) {
  const say = useSay();
  return (
    <main className="grid h-dvh place-items-center p-6">
      <div className="grid max-w-md gap-3">
        <p className="flex items-center gap-2 text-lg font-semibold">
          <Brand /> Holdfast
        </p>
        <h1 className="text-xl font-semibold">{say(`closed.${why}`)}</h1>
        <p className="text-muted">{say(`closed.${why}.hint`)}</p>
        <code className="rounded-control bg-sunken px-3 py-2 text-code">holdfast serve --open</code>
        <p>
          <Button onClick={() => location.reload()}>{say("error.again")}</Button>
        </p>
      </div>
    </main>
  );
}
