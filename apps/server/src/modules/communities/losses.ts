/**
 * Losses: data of posts that a change of a definition leaves without a place. A change says how each
 * loss is treated; a plan collects the losses, and any other change without a treatment is refused.
 */
import { type CommunityPlanLoss, definitionLimits, type ErrorCode } from '@portico/contract';
import type { TenantTx } from '@portico/platform/db/tenant-db';
import { Parameters, visiblePostSql, type WriteScope } from '../../kernel/access/index.ts';
import { type FieldError, ValidationError } from '../../kernel/errors.ts';
import { sqlColumns } from '../columns.ts';
import type { FieldDefinition } from './definition-types.ts';
import { seesField } from './seen-by.ts';

/** Number of posts and values that would lose data, counted up to the published limit. */
export interface Held {
  readonly posts: number;
  readonly values: number;
  /** Some of the posts. */
  readonly examples: readonly number[];
}

/** A loss, and its treatment. */
export interface Loss {
  readonly kind: NonNullable<CommunityPlanLoss['kind']>;
  /** Id of the field or the state. */
  readonly id?: number;
  readonly held: Held;
  /** The holders, as "Posts that hold a value of it". */
  readonly what: string;
  /** Allowed values of `onExisting`. */
  readonly choices: readonly Choice[];
  /** The treatment; undefined: none was sent. */
  readonly chosen: Choice | undefined;
  /** Member of the request that misses the treatment. Default: `onExisting`. */
  readonly field?: string;
  /** The way in which `map` is sent, for the message. Default: `map`. */
  readonly mapping?: string;
  /** The field whose values are concerned: only callers who see it get examples. */
  readonly ofField?: FieldDefinition & { readonly communityId: number };
}

export type Choice = 'keep' | 'map' | 'clear';

/** A collected loss with the examples that the caller sees. */
export interface CollectedLoss extends Loss {
  readonly examples: readonly { readonly id: number; readonly title: string | null }[];
}

/** Maximum number of posts that a plan or a refusal names. */
const EXAMPLES = 5;

/** Losses of the transactions that collect them. */
const collected = new WeakMap<TenantTx, CollectedLoss[]>();

/**
 * Makes a transaction collect its losses. The caller refuses the losses without a treatment.
 * @returns the list, which grows with each change
 */
export function collectLosses(tx: TenantTx): readonly CollectedLoss[] {
  const losses: CollectedLoss[] = [];
  collected.set(tx, losses);
  return losses;
}

/** Returns whether a transaction collects its losses: its changes go on without a treatment. */
export const collectsLosses = ({ tx }: WriteScope): boolean => collected.has(tx);

/**
 * Notes a loss. A loss without a treatment is refused unless the transaction collects losses.
 * @throws ValidationError MAPPING_REQUIRED
 */
export async function noteLoss(write: WriteScope, loss: Loss): Promise<void> {
  const list = collected.get(write.tx);
  if (!list && loss.chosen !== undefined) return;
  const found = { ...loss, examples: await examplesOf(write, loss) };
  if (!list) throw new ValidationError([lossError(found)]);
  list.push(found);
}

/** Returns examples among the posts and fields that the caller sees. */
async function examplesOf({ tx, actor }: WriteScope, { held, ofField }: Loss) {
  if (ofField && !seesField(actor, ofField.communityId, ofField)) return [];
  const parameters = new Parameters([tx.tenantId, held.examples]);
  const visible = visiblePostSql('p', actor, parameters);
  const p = sqlColumns('posts', 'p');
  return tx.query<{ id: number; title: string | null }>(
    `SELECT ${p.id}, ${p.title} FROM posts p
      WHERE p.tenant_id = $1 AND ${p.id} = ANY ($2::bigint[]) AND ${visible} ORDER BY ${p.id} LIMIT ${EXAMPLES}`,
    parameters.values,
  );
}

/** Returns the error of a loss without a treatment: its number, and some of the posts. */
export function lossError(loss: CollectedLoss): FieldError {
  const { field = 'onExisting', what, choices, held, examples, mapping = 'map' } = loss;
  const number = held.posts > definitionLimits.counted ? `more than ${definitionLimits.counted}` : String(held.posts);
  const posts = examples.map(({ id, title }) => `${id}${title === null ? '' : ` "${title}"`}`);
  const words = choices.map((choice) => (choice === 'map' ? mapping : choice));
  const code: ErrorCode = 'MAPPING_REQUIRED';
  return {
    field,
    code,
    defaultMessage: `${what}: ${number}${posts.length > 0 ? ` (for example ${posts.join(', ')})` : ''}. Send onExisting: ${words.join(', ')}.`,
    args: [held.posts, held.values, ...examples.map(({ id }) => id)],
  };
}
