/**
 * Reads `dryRun`, which keeps a write from taking effect. A misspelt, empty or unreadable value is
 * rejected: ignored like other unknown parameters, it would turn a dry run into a real write. The
 * schema rejects an empty `Idempotency-Key`.
 */
import type { FastifyRequest } from 'fastify';
import type { FieldErrors } from '../kernel/errors.ts';

const DRY_RUN = 'dryRun';

/** Whether a write is a dry run. The value has been found to be `true` or `false`, in any case. */
export function isDryRun(request: FastifyRequest): boolean {
  return String((request.query as Record<string, unknown>)[DRY_RUN]).toLowerCase() === 'true';
}

/** Checks the `dryRun` of a write. */
export function readDryRun(request: FastifyRequest, errors: FieldErrors): void {
  for (const [name, value] of Object.entries(request.query as Record<string, unknown>)) {
    if (name === DRY_RUN) {
      if (typeof value === 'string' && /^(?:true|false)$/i.test(value)) continue;
      errors.add(DRY_RUN, 'INVALID_VALUE', `${DRY_RUN} must be true or false, once; leave it out to write.`, [
        true,
        false,
      ]);
    } else if (isMisspelt(name)) {
      errors.add(name, 'UNRECOGNIZED_FIELD', `Unknown query parameter. Did you mean ${DRY_RUN}?`, [DRY_RUN]);
    }
  }
}

/** Whether a name differs from `dryRun` only in case, brackets or punctuation. */
function isMisspelt(name: string): boolean {
  return [name, name.replaceAll(/\[[^\]]*\]?/g, '')].some(
    (one) => one.replaceAll(/[^a-z]/gi, '').toLowerCase() === DRY_RUN.toLowerCase(),
  );
}
