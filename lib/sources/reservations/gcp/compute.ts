import { computeError } from "./compute-error.ts";

/** A resource in a zone. */
export interface ZonalName {
  readonly project: string;
  readonly zone: string;
  readonly name: string;
}

/**
 * The read-only calls of Compute Engine that tell of reservations, each with all its pages as one list in the shape of
 * the REST API. They reject with a SourceError.
 */
export interface Compute {
  reservations(project: string, signal: AbortSignal): Promise<unknown>;
  futureReservations(project: string, signal: AbortSignal): Promise<unknown>;
  blocks(reservation: ZonalName, signal: AbortSignal): Promise<unknown>;
  subBlocks(reservation: ZonalName, block: string, signal: AbortSignal): Promise<unknown>;
  instances(zone: Omit<ZonalName, "name">, signal: AbortSignal): Promise<unknown>;
}

/** Most resources that one answer holds: https://cloud.google.com/compute/docs/reference/rest/v1/reservations/list */
const PAGE = 500;

/**
 * Clients with Google's default credentials. `endpoint`: base URL, where it is not Google's own. Each is made when it is
 * first needed.
 */
export async function openCompute(endpoint: string | undefined): Promise<Compute> {
  const sdk = await loadClients();
  const options = { fallback: true, ...(endpoint && addressOf(endpoint)) };
  const reservations = ready(() => new sdk.ReservationsClient(options));
  // One token serves all.
  const further = async () => ({ ...options, auth: (await reservations()).auth });
  const future = ready(async () => new sdk.FutureReservationsClient(await further()));
  const blocks = ready(async () => new sdk.ReservationBlocksClient(await further()));
  const subBlocks = ready(async () => new sdk.ReservationSubBlocksClient(await further()));
  const instances = ready(async () => new sdk.InstancesClient(await further()));

  return {
    reservations: (project, signal) =>
      calling("compute.reservations.list", project, async () => {
        const client = await reservations();
        const scopes = client.aggregatedListAsync({ project, maxResults: PAGE }, once(signal));
        return aggregated("reservation", scopes, (scope) => scope.reservations);
      }),
    futureReservations: (project, signal) =>
      calling("compute.futureReservations.list", project, async () => {
        const client = await future();
        const scopes = client.aggregatedListAsync({ project, maxResults: PAGE }, once(signal));
        return aggregated("futureReservation", scopes, (scope) => scope.futureReservations);
      }),
    blocks: ({ project, zone, name: reservation }, signal) =>
      calling("compute.reservationBlocks.list", project, async () => {
        const client = await blocks();
        const request = { project, zone, reservation, maxResults: PAGE };
        return listed("reservationBlock", client.listAsync(request, once(signal)));
      }),
    subBlocks: ({ project, zone, name }, block, signal) =>
      calling("compute.reservationSubBlocks.list", project, async () => {
        const client = await subBlocks();
        const parentName = `reservations/${name}/reservationBlocks/${block}`;
        const request = { project, zone, parentName, maxResults: PAGE };
        return listed("reservationSubBlock", client.listAsync(request, once(signal)));
      }),
    instances: ({ project, zone }, signal) =>
      calling("compute.instances.list", project, async () => {
        const client = await instances();
        return listed("instance", client.listAsync({ project, zone, maxResults: PAGE }, once(signal)));
      }),
  };
}

/**
 * The SDK is loaded here and nowhere else, and of its more than 100 clients only these: all of them, which its main
 * module loads, take twice as long and 200 MB more.
 */
async function loadClients() {
  const [reservations, future, blocks, subBlocks, instances] = await Promise.all([
    import("@google-cloud/compute/build/src/v1/reservations_client.js"),
    import("@google-cloud/compute/build/src/v1/future_reservations_client.js"),
    import("@google-cloud/compute/build/src/v1/reservation_blocks_client.js"),
    import("@google-cloud/compute/build/src/v1/reservation_sub_blocks_client.js"),
    import("@google-cloud/compute/build/src/v1/instances_client.js"),
  ]);
  return { ...reservations, ...future, ...blocks, ...subBlocks, ...instances };
}

/**
 * Gives a client that has found its credentials, and makes another where it could not: it would not look again. A call
 * on one that could not would leave a rejected promise behind that nobody can catch, which ends the process.
 */
function ready<C extends { initialize(): Promise<unknown> }>(make: () => C | Promise<C>): () => Promise<C> {
  let made: Promise<C> | undefined;
  const open = async () => {
    try {
      const client = await make();
      await client.initialize();
      return client;
    } catch (error) {
      made = undefined;
      throw error;
    }
  };
  return () => {
    made ??= open();
    return made;
  };
}

/** The caller reads again in any case, and later where it has to: two that retry would multiply. */
function once(signal: AbortSignal) {
  return { autoPaginate: false, retry: null, signal };
}

function addressOf(endpoint: string) {
  const { protocol, hostname, port } = new URL(endpoint);
  const secure = protocol === "https:";
  return {
    apiEndpoint: hostname,
    protocol: secure ? "https" : "http",
    port: Number(port || (secure ? 443 : 80)),
  };
}

async function calling(permission: string, project: string, call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    throw computeError(error, { permission, project });
  }
}

/** What one scope of an aggregated list has. */
interface Scope {
  readonly warning?: { readonly code?: string | null } | null;
}

async function aggregated<S extends Scope, T>(
  kind: string,
  scopes: AsyncIterable<[string, S]>,
  itemsOf: (scope: S) => readonly T[] | null | undefined,
): Promise<unknown> {
  const items: T[] = [];
  const unreachables: string[] = [];
  for await (const [name, scope] of scopes) {
    items.push(...(itemsOf(scope) ?? []));
    if (scope.warning?.code === "UNREACHABLE") unreachables.push(name);
  }
  return { kind: `compute#${kind}List`, items, unreachables };
}

async function listed<T>(kind: string, resources: AsyncIterable<T>): Promise<unknown> {
  const items: T[] = [];
  for await (const resource of resources) items.push(resource);
  return { kind: `compute#${kind}List`, items };
}
