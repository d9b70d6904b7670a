import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { request } from "node:https";
import { pipeline } from "node:stream";

/** What stands in front of an API server and answers in its place. */
export interface BadProxy {
  /** Plain HTTP. */
  readonly url: string;
  /** From now on it answers so; undefined: it passes requests on, as it should. */
  answer(listener: RequestListener | undefined): void;
  close(): Promise<void>;
}

/** @param authority PEM of the certificate that `target` is known by */
export async function startBadProxy(target: string, authority: string): Promise<BadProxy> {
  let listener: RequestListener | undefined;
  const server = createServer((incoming, response) => {
    if (listener) {
      listener(incoming, response);
      return;
    }
    const { method, headers, url = "/" } = incoming;
    const onward = request(new URL(url, target), { method, headers, ca: authority }, (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.headers);
      // A watch ends when either side hangs up, which is no error of the proxy's.
      pipeline(answered, response, () => {});
    });
    response.on("close", () => onward.destroy());
    onward.on("error", () => response.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("the proxy has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    answer: (next) => {
      listener = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
