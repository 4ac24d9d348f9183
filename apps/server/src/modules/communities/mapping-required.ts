/** Refuses changes that would delete data of posts. */
import { definitionLimits, type ErrorCode } from '@portico/contract';
import { Parameters, visiblePostSql, type WriteScope } from '../../kernel/access/index.ts';
import { invalid, type ValidationError } from '../../kernel/errors.ts';

/** Number of posts and values that would lose data, counted up to the published limit. */
export interface Held {
  readonly posts: number;
  readonly values: number;
  /** Some of the posts. */
  readonly examples: readonly number[];
}

/** Maximum number of posts that a refusal names. */
const EXAMPLES = 5;

/**
 * Refuses a change that would delete data of posts. The message has their number, and some of the
 * posts that the caller sees.
 * @param what the holders, as "Posts that hold a value of it"  @param choices allowed values of
 * `onExisting`
 */
export async function mappingRequired(
  write: WriteScope,
  held: Held,
  { field = 'onExisting', what, choices }: { field?: string; what: string; choices: readonly string[] },
): Promise<ValidationError> {
  const parameters = new Parameters([write.tx.tenantId, held.examples]);
  const visible = visiblePostSql('p', write.actor, parameters);
  const seen = await write.tx.query<{ id: number; title: string | null }>(
    `SELECT p.id, p.title FROM posts p WHERE p.tenant_id = $1 AND p.id = ANY ($2::bigint[]) AND ${visible} ORDER BY p.id LIMIT ${EXAMPLES}`,
    parameters.values,
  );
  const number = held.posts > definitionLimits.counted ? `more than ${definitionLimits.counted}` : String(held.posts);
  const examples = seen.map(({ id, title }) => `${id}${title === null ? '' : ` "${title}"`}`);
  const code: ErrorCode = 'MAPPING_REQUIRED';
  return invalid(
    field,
    code,
    `${what}: ${number}${examples.length > 0 ? ` (for example ${examples.join(', ')})` : ''}. Send onExisting: ${choices.join(', ')}.`,
    [held.posts, held.values, ...seen.map(({ id }) => id)],
  );
}
