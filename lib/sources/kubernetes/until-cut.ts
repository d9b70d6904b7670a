/** Gives what comes of `body` and ends where its connection breaks; throws only the reason of `signal`, once it is aborted. */
export async function* untilCut(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    while (true) {
      const next = await chunks.next().catch(() => undefined);
      signal.throwIfAborted();
      if (!next || next.done) return;
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}
