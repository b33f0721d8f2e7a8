// Who holds a lock: the identity of processes, which the supervisor of agents needs as well.
export { type Liveness, type ProcessIdentity, bootedAt, livenessOf, self } from "../os/identity.ts";
