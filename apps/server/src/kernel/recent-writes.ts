/** Which tenants were recently written to through this node: background work serves them more often. */
export class RecentWrites {
  readonly #at = new Map<number, number>();

  /** Notes a write. @param now epoch milliseconds */
  note(tenantId: number, now: number): void {
    this.#at.set(tenantId, now);
  }

  /** Whether the tenant was written to at or after `since`, epoch milliseconds. */
  has(tenantId: number, since: number): boolean {
    return (this.#at.get(tenantId) ?? Number.NEGATIVE_INFINITY) >= since;
  }
}
