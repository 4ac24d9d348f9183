import type { Output } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { portal } from '../../portal.ts';
import { usePageTexts } from '../../texts/index.ts';

type Roles = Output<'listRoles'>;

/** Names of the built-in roles by id, which the interface gives in English. */
const BUILT_IN: Readonly<Record<number, string>> = {
  1: 'Manager',
  2: 'Contributor',
  3: 'Reader',
  4: 'Workspace administrator',
  5: 'Guest',
};

/** Names a role in the language of the page. @param name the name that the interface gives */
export function useRoleLabel(): (id: number | undefined, name: string | undefined) => string {
  const builtIn = usePageTexts('builtInRoles', BUILT_IN);
  return useCallback((id, name) => builtIn[id ?? 0] ?? name ?? `#${id}`, [builtIn]);
}

/** The roles of the portal, with names in the language of the page. */
export function useRoles() {
  const labelOf = useRoleLabel();
  const select = useCallback(
    ({ roles = [], ...rest }: Roles) => ({
      ...rest,
      roles: roles.map((role) => ({ ...role, name: labelOf(role.id, role.name) })),
    }),
    [labelOf],
  );
  return useQuery({ queryKey: ['admin', 'roles'], queryFn: () => portal.roles.list(), select });
}
