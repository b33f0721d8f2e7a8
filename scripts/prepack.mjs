// Before `npm pack` and `npm publish`: a package made from a fresh clone is complete.
import { ready } from "./ready.mjs";

await ready();
