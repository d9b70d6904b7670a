/** `build`, worked out once for each object that is asked about, for as long as that object lives. */
export function oncePer<K extends WeakKey, T>(build: (key: K) => T): (key: K) => T {
  const built = new WeakMap<K, { readonly value: T }>();
  return (key) => {
    const known = built.get(key);
    if (known) return known.value;
    const value = build(key);
    built.set(key, { value });
    return value;
  };
}
