/** Bytes that are not what Kubernetes sends, or an object that its schema cannot hold. */
export class ProtobufError extends Error {
  override readonly name = "ProtobufError";
}
