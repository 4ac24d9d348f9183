import { Button } from '@mantine/core';
import type { Output } from '@portico/sdk';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, Check as Tick } from 'lucide-react';
import { useState } from 'react';
import { Loaded } from '../../placeholders.tsx';
import { portal } from '../../portal.ts';
import { useRights } from '../../shared-queries.ts';
import { useFormats } from '../../texts/index.ts';
import { ConfirmDialog } from '../confirm.tsx';
import { AdminScreenPage } from '../screen.tsx';
import { useAdminTexts } from '../texts.ts';
import { EditRole } from './edit-role.tsx';
import { useRolesTexts } from './texts.ts';
import { useRoles } from './use-roles.ts';

type Roles = Output<'listRoles'>;
export type Role = NonNullable<Roles['roles']>[number];
export type Permission = NonNullable<Roles['permissions']>[number];

/** Roles whose holders are counted, a request for each. */
const COUNTED = 24;

/** The number of people with each role, for holders of the right to see people. */
function useHolders(roles: readonly Role[]): ReadonlyMap<number, number> {
  const enabled = useRights().data?.has('manageUsers') ?? false;
  return useQueries({
    queries: roles.slice(0, COUNTED).map(({ id }) => ({
      queryKey: ['admin', 'role-holders', id],
      enabled,
      queryFn: async () => {
        const { totalItemsCount = 0 } = await portal.users.list({
          roleIds: [id!],
          pageSize: 1,
          calculateTotalItemsCount: true,
        });
        return [id!, totalItemsCount] as const;
      },
    })),
    combine: (answers) => new Map(answers.flatMap(({ data }) => (data ? [data] : []))),
  });
}

/** The roles of the portal beside each other: their permissions and their holders. */
export function RolesScreen() {
  const texts = useAdminTexts();
  const words = useRolesTexts();
  const roles = useRoles();
  const [open, setOpen] = useState<'new' | { readonly edit: Role } | { readonly remove: Role }>();
  const close = () => setOpen(undefined);
  const known = roles.data?.permissions ?? [];
  return (
    <AdminScreenPage
      title={texts.screens['/admin/roles'].label}
      actions={
        <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setOpen('new')}>
          {words.newRole}
        </Button>
      }
    >
      <Loaded query={roles}>
        {(found) => (
          <Matrix roles={found} edit={(edit) => setOpen({ edit })} remove={(remove) => setOpen({ remove })} />
        )}
      </Loaded>
      {open === 'new' && <EditRole permissions={known} onClose={close} />}
      {typeof open === 'object' && 'edit' in open && <EditRole permissions={known} role={open.edit} onClose={close} />}
      {typeof open === 'object' && 'remove' in open && (
        <ConfirmDialog
          title={words.deleteTitle(open.remove.name ?? '')}
          action={texts.delete}
          dryRun={() => portal.roles.delete({ roleId: open.remove.id!, dryRun: true })}
          run={() => portal.roles.delete({ roleId: open.remove.id! })}
          done={words.deleted}
          onClose={close}
        />
      )}
    </AdminScreenPage>
  );
}

function Matrix({
  roles: { roles = [], permissions = [] },
  edit,
  remove,
}: {
  roles: Roles;
  edit: (role: Role) => void;
  remove: (role: Role) => void;
}) {
  const texts = useAdminTexts();
  const words = useRolesTexts();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that is wider than the window is scrolled by keys
    <section className="admin-table-box" aria-label={words.matrix} tabIndex={0}>
      <table className="admin-table role-matrix">
        <thead>
          <tr>
            <th scope="col">{words.permission}</th>
            {roles.map((role) => (
              <th key={role.id} scope="col">
                <span dir="auto">{role.name}</span>
                {role.builtIn ? (
                  <span className="muted"> ({words.builtIn})</span>
                ) : (
                  <span className="buttons">
                    <button
                      type="button"
                      className="small"
                      aria-label={words.editRole(role.name ?? '')}
                      onClick={() => edit(role)}
                    >
                      {texts.edit}
                    </button>
                    <button
                      type="button"
                      className="small"
                      aria-label={words.deleteRole(role.name ?? '')}
                      onClick={() => remove(role)}
                    >
                      {texts.delete}
                    </button>
                  </span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Holders roles={roles} />
          {permissions.map(({ name }) => (
            <tr key={name}>
              <th scope="row">{words.permissions[name!] ?? name}</th>
              {roles.map((role) => (
                <td key={role.id}>
                  {role.permissions?.includes(name!) ? (
                    <Tick size={16} aria-label={words.has} />
                  ) : (
                    <span className="visually-hidden">{words.hasNot}</span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The row with the number of people who hold each role, which leads to these people. */
function Holders({ roles }: { roles: readonly Role[] }) {
  const words = useRolesTexts();
  const formats = useFormats();
  const holders = useHolders(roles);
  if (holders.size === 0) return null;
  return (
    <tr>
      <th scope="row">{words.holders}</th>
      {roles.map(({ id, name = '' }) => (
        <td key={id}>
          <Link to="/admin/people" search={{ role: id! }} aria-label={words.holdersOf(name)}>
            {formats.number(holders.get(id!) ?? 0)}
          </Link>
        </td>
      ))}
    </tr>
  );
}
