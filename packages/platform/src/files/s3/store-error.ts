/** An error of the store, or of the connection to it. */
export class StoreError extends Error {
  override name = 'StoreError';
  /** Cause of the error, where known. */
  readonly fault: StoreFault | undefined;

  constructor(message: string, fault?: StoreFault) {
    super(message);
    this.fault = fault;
  }
}

/**
 * `unreachable`: nothing answers; `bucket`: no bucket has that name; `keys`: they belong to no
 * account.
 */
export type StoreFault = 'unreachable' | 'bucket' | 'keys';
