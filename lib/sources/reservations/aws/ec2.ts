import { SourceError } from "../../source-error.ts";
import { ec2Error } from "./ec2-error.ts";

export interface Ec2Options {
  readonly region: string;
  /** Of the AWS configuration files; else the SDK's own order: environment, files, web identity, instance role. */
  readonly profile?: string | undefined;
  /** Base URL, where it is not AWS' own. */
  readonly endpoint?: string | undefined;
}

/**
 * The read-only calls of EC2 that tell of reservations, each with all its pages as one document in the shape that the
 * AWS CLI prints. They reject with a SourceError.
 */
export interface Ec2 {
  describeCapacityReservations(signal: AbortSignal): Promise<unknown>;
  describeCapacityBlockStatus(signal: AbortSignal): Promise<unknown>;
  describeCapacityBlockExtensionHistory(signal: AbortSignal): Promise<unknown>;
  /** Running instances in the given capacity reservations, of which one call takes `FILTER_VALUES`. */
  describeInstances(reservationIds: readonly string[], signal: AbortSignal): Promise<unknown>;
}

/** Values that one filter takes: https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_Filter.html */
export const FILTER_VALUES = 200;

/** Pages that no account fills: 1,000 reservations or instances are on one. */
const MOST_PAGES = 1_000;

interface Page {
  readonly NextToken?: string | undefined;
  readonly $metadata: { readonly requestId?: string | undefined };
}

/** Sends the request for the page behind `NextToken`. */
type SendPage = (NextToken: string | undefined) => Promise<Page>;

/** A client for one region. The SDK is large, so it is loaded here and nowhere else. */
export async function openEc2({ region, profile, endpoint }: Ec2Options): Promise<Ec2> {
  const sdk = await import("@aws-sdk/client-ec2");
  const client = new sdk.EC2Client({
    region,
    ...(profile && { profile }),
    ...(endpoint && { endpoint }),
    // The caller reads again in any case, and later where it is asked to: two that retry would multiply.
    maxAttempts: 1,
  });

  /** All pages as one document, as the AWS CLI joins them. */
  async function readAll(action: string, key: string, sendPage: SendPage): Promise<unknown> {
    const items: unknown[] = [];
    let token: string | undefined;
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const page = await sendPage(token).catch((error: unknown) => {
        throw ec2Error(error, { action, region });
      });
      const list: unknown = Reflect.get(page, key);
      if (Array.isArray(list)) items.push(...list);
      else if (!page.$metadata.requestId) throw noAnswerOfEc2(action, region);
      token = page.NextToken;
      if (!token) return cliDocument(key, items);
    }
    throw new SourceError("invalid", `ec2:${action} in ${region}: its pages do not end`);
  }

  return {
    describeCapacityReservations: (abortSignal) =>
      readAll("DescribeCapacityReservations", "CapacityReservations", (NextToken) =>
        client.send(new sdk.DescribeCapacityReservationsCommand({ NextToken }), { abortSignal }),
      ),
    describeCapacityBlockStatus: (abortSignal) =>
      readAll("DescribeCapacityBlockStatus", "CapacityBlockStatuses", (NextToken) =>
        client.send(new sdk.DescribeCapacityBlockStatusCommand({ NextToken }), { abortSignal }),
      ),
    describeCapacityBlockExtensionHistory: (abortSignal) =>
      readAll("DescribeCapacityBlockExtensionHistory", "CapacityBlockExtensions", (NextToken) =>
        client.send(new sdk.DescribeCapacityBlockExtensionHistoryCommand({ NextToken }), { abortSignal }),
      ),
    describeInstances: (reservationIds, abortSignal) => {
      const Filters = [
        { Name: "capacity-reservation-id", Values: [...reservationIds] },
        { Name: "instance-state-name", Values: ["pending", "running"] },
      ];
      return readAll("DescribeInstances", "Reservations", (NextToken) =>
        client.send(new sdk.DescribeInstancesCommand({ Filters, NextToken, MaxResults: 1_000 }), {
          abortSignal,
        }),
      );
    },
  };
}

/** The SDK reads any XML, such as a sign-in page, as an answer in which nothing is listed. */
function noAnswerOfEc2(action: string, region: string): SourceError {
  return new SourceError("unreachable", `ec2:${action} in ${region}: what answers is not EC2`, {
    hint: "Check the endpoint, and whether a proxy or a sign-in page stands in front of it.",
  });
}

/** The SDK gives dates as Date objects, where the CLI prints them as ISO 8601 texts. */
function cliDocument(key: string, items: readonly unknown[]): unknown {
  return JSON.parse(JSON.stringify({ [key]: items }));
}
