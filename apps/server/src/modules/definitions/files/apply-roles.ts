/** Applies the roles of the tenant in the file of a community. */
import { isDeepStrictEqual } from 'node:util';
import { type CommunityFile, RoleId } from '@portico/contract';
import type { Scope } from '../../../kernel/scope.ts';
import { createRole, editRole } from '../../communities/index.ts';
import { roleWords } from './file-names.ts';
import type { Present } from './file-types.ts';
import { runAt } from './steps.ts';

/**
 * Creates missing roles, and updates different ones. @returns ids of all roles that the file may
 * name, by word or key
 */
export async function applyOwnRoles(
  within: Scope,
  wanted: NonNullable<CommunityFile['roles']>,
  present: Present,
): Promise<Map<string, number>> {
  const ids = new Map<string, number>(roleWords.map((word) => [word, RoleId[word]]));
  for (const [index, role] of wanted.entries()) {
    const { key = '', name = '', description, permissions = [] } = role;
    const form = { name, ...(description !== undefined && { description }), permissions };
    const known = present.ids.roles.get(key);
    const before = present.file.roles?.find((other) => other.key === key);
    const id = await runAt(`file.roles[${index}]`, { externalId: 'key' }, async () => {
      if (!known) return (await createRole(within, { ...form, externalId: key })).id!;
      if (!isDeepStrictEqual(before, role)) await editRole(within, known.id, { ...form, occToken: known.version });
      return known.id;
    });
    ids.set(key, id);
  }
  return ids;
}
