/** The audit log: reads, chains and verifies entries. Transactions write them (kernel/audit). */
export { auditHandlers } from './audit.routes.ts';
export { chainEntries, entriesDue } from './chain-entries.ts';
export type { ChainHead } from './chained-entries.ts';
export { pruneEntries } from './prune-entries.ts';
export { type ChainReport, verifyChain } from './verify-chain.ts';
