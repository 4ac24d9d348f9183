/** What the store, or the way to it, said. */
export class StoreError extends Error {
  override name = 'StoreError';
  /** What is at fault, where that is known. */
  readonly fault: StoreFault | undefined;

  constructor(message: string, fault?: StoreFault) {
    super(message);
    this.fault = fault;
  }
}

/** `unreachable`: nothing answers; `bucket`: there is none of that name; `keys`: they are not those of an account. */
export type StoreFault = 'unreachable' | 'bucket' | 'keys';
