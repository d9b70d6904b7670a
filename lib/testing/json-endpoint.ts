import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface JsonRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
}

/** What is answered, or nothing at all. */
export type JsonReply =
  | { readonly status?: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  | "hang up";

export interface JsonEndpoint {
  readonly url: string;
  readonly requests: readonly JsonRequest[];
  /** What is answered from now on. */
  reply: (request: JsonRequest) => JsonReply;
  close(): Promise<void>;
}

/** An HTTP server on loopback that answers with JSON and remembers what it was asked. */
export async function startJsonEndpoint(reply: JsonEndpoint["reply"]): Promise<JsonEndpoint> {
  const requests: JsonRequest[] = [];
  const server = createServer((message, response) => {
    const { pathname: path, searchParams: query } = new URL(message.url ?? "/", endpoint.url);
    const request = { path, query, authorization: message.headers.authorization };
    requests.push(request);
    const answer = endpoint.reply(request);
    if (answer === "hang up") {
      message.socket.destroy();
      return;
    }
    response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
    response.end(JSON.stringify(answer.body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const endpoint: JsonEndpoint = {
    url: `http://127.0.0.1:${port}`,
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
