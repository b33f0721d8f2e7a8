// A part of the page that is loaded when it is first shown. Where the server is not there just then it is
// tried again, until it is: React remembers a failure for ever, and with it the whole screen would be gone.
import { type ComponentType, lazy } from "react";

export function later<P>(load: () => Promise<ComponentType<P>>) {
  return lazy(async () => ({ default: await untilLoaded(load) }));
}

// --- internal ---

const [firstWaitMs, longestWaitMs] = [300, 5_000];

async function untilLoaded<T>(load: () => Promise<T>): Promise<T> {
  for (let wait = firstWaitMs; ; wait = Math.min(wait * 2, longestWaitMs)) {
    try {
      return await load();
    } catch (thrown) {
      // What a module throws itself is a mistake of ours: the fence around it shows that.
      if (!(thrown instanceof TypeError)) throw thrown;
      await new Promise((done) => setTimeout(done, wait));
    }
  }
}
