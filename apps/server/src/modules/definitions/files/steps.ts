/** Common context of the steps that apply a file. */
import type { CommunityFile } from '@portico/contract';
import type { WriteScope } from '../../../kernel/access/index.ts';
import { type FieldError, ValidationError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { readCommunityHead } from '../../communities/index.ts';
import type { AppliedCatalogs } from './apply-catalogs.ts';
import type { Choices } from './choices.ts';
import type { Present } from './file-types.ts';

export interface Steps extends AppliedCatalogs {
  /** Scope of the verbs: they join the transaction of the plan. */
  readonly within: Scope;
  readonly write: WriteScope;
  readonly file: CommunityFile;
  readonly present: Present;
  /** Ids of this community and of others that fields name, by key. */
  readonly communities: ReadonlyMap<string, number>;
  /** Ids of groups by name. */
  readonly groups: ReadonlyMap<string, number>;
  /** Treatment of data without a place. */
  readonly choices: Choices;
  /** Ids of roles by their word or key. */
  readonly roles: ReadonlyMap<string, number>;
}

/**
 * Runs a verb, and maps the paths of its errors to paths in the file.
 * @param path of the object in the request @param names of the members of the verb's form in the
 * file
 */
export async function runAt<T>(
  path: string,
  names: Readonly<Record<string, string>>,
  verb: () => Promise<T>,
): Promise<T> {
  try {
    return await verb();
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new ValidationError(
      error.errors.map((fault): FieldError => {
        const [, head = '', rest = ''] = /^([^.[]*)(.*)$/.exec(fault.field) ?? [];
        const name = names[head] ?? head;
        const below = rest.replace(/[A-Za-z]+/g, (member) => names[member] ?? member);
        return { ...fault, field: `${[path, name].filter(Boolean).join('.')}${below}` };
      }),
    );
  }
}

/** Returns the token of the community as of the transaction. */
export async function tokenOf({ write }: Pick<Steps, 'write'>, communityId: number): Promise<number> {
  const head = await readCommunityHead(write.tx, communityId);
  if (!head) throw new Error('the community is gone within its own transaction');
  return head.etag;
}
