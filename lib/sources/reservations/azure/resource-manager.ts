import type { ComputeManagementClientOptionalParams } from "@azure/arm-compute";
import type { TokenCredential } from "@azure/identity";
import { armError } from "./arm-error.ts";
import type { ReservationPath } from "./resource-id.ts";

/** How Azure is reached, where it is not as its SDK does it by itself. */
export interface AzureAccess {
  /** Else the SDK's own order: environment, workload and managed identity, az CLI and others. */
  readonly credential?: TokenCredential;
  readonly clientOptions?: Pick<ComputeManagementClientOptionalParams, "additionalPolicies">;
}

export interface ResourceManagerOptions extends AzureAccess {
  readonly subscription: string;
  /** Base URL, where it is not that of Azure's public cloud. */
  readonly endpoint?: string | undefined;
}

/** The read-only calls of Azure Resource Manager that tell of reservations, with all pages. They reject with a SourceError. */
export interface ResourceManager {
  groups(signal: AbortSignal): Promise<readonly unknown[]>;
  reservations(group: ReservationPath, signal: AbortSignal): Promise<readonly unknown[]>;
  /** One group with the instance views of its reservations, which no list has. */
  groupWithViews(group: ReservationPath, signal: AbortSignal): Promise<unknown>;
}

/** A client for one subscription. The SDK is large, so it is loaded here and nowhere else. */
export async function openResourceManager(options: ResourceManagerOptions): Promise<ResourceManager> {
  const { subscription, endpoint } = options;
  const { ComputeManagementClient } = await import("@azure/arm-compute");
  const client = new ComputeManagementClient(
    options.credential ?? new (await import("@azure/identity")).DefaultAzureCredential(),
    subscription,
    {
      ...options.clientOptions,
      ...(endpoint && { endpoint }),
      // The caller reads again in any case, and later where it is asked to: two that retry would multiply.
      retryOptions: { maxRetries: 0 },
    },
  );

  async function calling<T>(permission: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw armError(error, { permission, subscription });
    }
  }

  return {
    groups: (abortSignal) =>
      calling("Microsoft.Compute/capacityReservationGroups/read", () =>
        all(client.capacityReservationGroups.listBySubscription({ abortSignal }), abortSignal),
      ),
    reservations: ({ resourceGroup, group }, abortSignal) =>
      calling("Microsoft.Compute/capacityReservationGroups/capacityReservations/read", () =>
        all(
          client.capacityReservations.listByCapacityReservationGroup(resourceGroup, group, { abortSignal }),
          abortSignal,
        ),
      ),
    groupWithViews: ({ resourceGroup, group }, abortSignal) =>
      calling("Microsoft.Compute/capacityReservationGroups/read", () =>
        client.capacityReservationGroups.get(resourceGroup, group, { expand: "instanceView", abortSignal }),
      ),
  };
}

async function all<T>(pages: AsyncIterable<T>, signal: AbortSignal): Promise<readonly T[]> {
  const items: T[] = [];
  for await (const item of pages) {
    signal.throwIfAborted();
    items.push(item);
  }
  return items;
}
