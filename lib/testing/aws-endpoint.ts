import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";

/** One request, in the query protocol of EC2. */
export interface Ec2Request {
  /** E.g. `DescribeInstances`. */
  readonly action: string;
  /** The region that the request is signed for, and whose key it is signed with. */
  readonly region: string;
  readonly accessKeyId: string;
  /** All parameters, e.g. `Filter.1.Name`. */
  readonly params: URLSearchParams;
}

/** A document as the AWS CLI prints it, of one list, in pages of `pageSize`. */
export interface Ec2Document {
  readonly document: Readonly<Record<string, unknown>>;
  readonly pageSize?: number;
}

/** What is answered: a document, an error, something that is not of EC2, or nothing at all. */
export type Ec2Reply =
  | Ec2Document
  | {
      readonly status: number;
      readonly code: string;
      readonly message?: string;
      /** Seconds. */
      readonly retryAfter?: number;
    }
  | { readonly raw: string }
  | "hang up"
  | "silence";

export interface AwsEndpoint {
  readonly url: string;
  readonly requests: readonly Ec2Request[];
  /** What is answered from now on. */
  reply: (request: Ec2Request) => Ec2Reply;
  close(): Promise<void>;
}

/** Names of lists on the wire, where they are not the key with a small first letter. */
const LISTS: Readonly<Record<string, string>> = {
  CapacityReservations: "capacityReservationSet",
  CapacityBlockStatuses: "capacityBlockStatusSet",
  CapacityReservationStatuses: "capacityReservationStatusSet",
  CapacityBlockExtensions: "capacityBlockExtensionSet",
  CapacityAllocations: "capacityAllocationSet",
  Reservations: "reservationSet",
  Instances: "instancesSet",
  Tags: "tagSet",
};

/**
 * An HTTP server on loopback that answers as EC2 does: form POSTs, XML, `NextToken`, errors with their codes.
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/query-api-troubleshooting.html
 */
export async function startAwsEndpoint(reply: AwsEndpoint["reply"]): Promise<AwsEndpoint> {
  const requests: Ec2Request[] = [];
  const server = createServer(async (message, response) => {
    const request = await readRequest(message);
    requests.push(request);
    const answer = endpoint.reply(request);
    if (answer === "silence") return;
    if (answer === "hang up") {
      message.socket.destroy();
      return;
    }
    response.setHeader("content-type", "text/xml;charset=UTF-8");
    if ("raw" in answer) {
      response.end(answer.raw);
      return;
    }
    if ("document" in answer) {
      response.end(pageXml(request, answer));
      return;
    }
    response.statusCode = answer.status;
    if (answer.retryAfter !== undefined) response.setHeader("retry-after", answer.retryAfter);
    response.end(errorXml(answer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  const endpoint: AwsEndpoint = {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    reply,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return endpoint;
}

async function readRequest(message: IncomingMessage): Promise<Ec2Request> {
  let body = "";
  for await (const chunk of message.setEncoding("utf8")) body += chunk;
  const params = new URLSearchParams(body);
  const credential = /Credential=([^/]+)\/\d+\/([^/]+)\//.exec(message.headers.authorization ?? "") ?? [];
  const [, accessKeyId = "", region = ""] = credential;
  return { action: params.get("Action") ?? "", region, accessKeyId, params };
}

function pageXml({ action, params }: Ec2Request, { document, pageSize = 1_000 }: Ec2Document) {
  const [key = "", list] = Object.entries(document)[0] ?? [];
  const items = Array.isArray(list) ? list : [];
  const from = Number(params.get("NextToken") ?? 0);
  const next = from + pageSize;
  const page = { [key]: items.slice(from, next), ...(next < items.length && { NextToken: String(next) }) };
  return `<?xml version="1.0" encoding="UTF-8"?>
<${action}Response xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>r</requestId>${fieldsXml(page)}</${action}Response>`;
}

function fieldsXml(fields: object): string {
  return Object.entries(fields)
    .map(([key, value]) => {
      const name = LISTS[key] ?? (key === "State" && isObject(value) ? "instanceState" : small(key));
      return `<${name}>${valueXml(value)}</${name}>`;
    })
    .join("");
}

function valueXml(value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => `<item>${valueXml(item)}</item>`).join("");
  if (isObject(value)) return fieldsXml(value);
  return escapeXml(String(value));
}

function errorXml({ code, message = "" }: { readonly code: string; readonly message?: string }): string {
  const error = `<Error><Code>${escapeXml(code)}</Code><Message>${escapeXml(message)}</Message></Error>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Response><Errors>${error}</Errors><RequestID>r</RequestID></Response>`;
}

function small(key: string): string {
  return `${key.charAt(0).toLowerCase()}${key.slice(1)}`;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
