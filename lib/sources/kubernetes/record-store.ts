/** The records of one resource. */
export interface RecordStore<T> {
  /** Adds the record or replaces the one with its uid. */
  put(record: T): void;
  /** Takes out the record of this uid. */
  remove(uid: string): void;
  /** The same array until something changes. */
  list(): readonly T[];
  /** Takes over from the store that it replaces what is kept though the server has it no more. */
  inherit?(replaced: RecordStore<T>): void;
}

/** Keeps the newest record of each uid: a deleted and a recreated object of one name are two. */
export function createRecordStore<T extends { readonly uid: string }>(): RecordStore<T> {
  const records = new Map<string, T>();
  let listed: readonly T[] | undefined;
  return {
    put: (record) => {
      records.set(record.uid, record);
      listed = undefined;
    },
    remove: (uid) => {
      if (records.delete(uid)) listed = undefined;
    },
    list: () => {
      listed ??= [...records.values()];
      return listed;
    },
  };
}
