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

/** Roles whose holders are counted, two requests for each. */
const COUNTED = 24;

const listsOf = {
  people: (roleId: number) => portal.users.list({ roleIds: [roleId], pageSize: 1, calculateTotalItemsCount: true }),
  groups: (roleId: number) => portal.groups.list({ roleIds: [roleId], pageSize: 1, calculateTotalItemsCount: true }),
};

/** The number of people or groups with each role, for holders of the right to see them. */
function useHolders(kind: keyof typeof listsOf, roles: readonly Role[]): ReadonlyMap<number, number> {
  const enabled = useRights().data?.has('manageUsers') ?? false;
  return useQueries({
    queries: roles.slice(0, COUNTED).map(({ id }) => ({
      queryKey: ['admin', 'role-holders', kind, id],
      enabled,
      queryFn: async () => {
        const { totalItemsCount = 0 } = await listsOf[kind](id!);
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

/** The rows with the numbers of people and groups that hold each role, which lead to these. */
function Holders({ roles }: { roles: readonly Role[] }) {
  const words = useRolesTexts();
  return (
    <>
      <HoldersRow kind="people" label={words.holders} labelOf={words.holdersOf} roles={roles} />
      <HoldersRow kind="groups" label={words.groups} labelOf={words.groupsOf} roles={roles} />
    </>
  );
}

function HoldersRow({
  kind,
  label,
  labelOf,
  roles,
}: {
  kind: keyof typeof listsOf;
  label: string;
  labelOf: (role: string) => string;
  roles: readonly Role[];
}) {
  const formats = useFormats();
  const holders = useHolders(kind, roles);
  if (holders.size === 0) return null;
  return (
    <tr>
      <th scope="row">{label}</th>
      {roles.map(({ id, name = '' }) => (
        <td key={id}>
          <Link to={`/admin/${kind}`} search={{ role: id! }} aria-label={labelOf(name)}>
            {formats.number(holders.get(id!) ?? 0)}
          </Link>
        </td>
      ))}
    </tr>
  );
}
