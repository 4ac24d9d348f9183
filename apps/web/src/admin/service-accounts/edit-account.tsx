import { TextInput } from '@mantine/core';
import type { Output } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { portal } from '../../portal.ts';
import { type Right, useRights } from '../../shared-queries.ts';
import { Fault } from '../../write/fault.tsx';
import { faultBeside } from '../../write/faults.ts';
import { FormDialog } from '../../write/form-dialog.tsx';
import { FilterSelect, RightsInput } from '../fields.tsx';
import { useRoles } from '../roles/use-roles.ts';
import { useAdminTexts } from '../texts.ts';
import { useSend } from '../use-send.ts';
import { useAccountsTexts } from './texts.ts';

export type AccountForm = Output<'getServiceAccountForEdit'>;
type Given = NonNullable<AccountForm['communityRoles']>[number];

/** All communities, for holders of the right to administer them; otherwise the communities that the caller manages. */
export const useManagedCommunities = () =>
  useQuery({
    queryKey: ['admin', 'communities', 'all'],
    queryFn: async () => (await portal.communities.list({ with: 'manage', pageSize: 500 })).items ?? [],
  });

/** Creates or edits a service account. @param onDone is called with the id of the account */
export function EditAccount({
  accountId,
  account,
  onClose,
  onDone,
}: {
  accountId?: number;
  /** Absent for a new account. */
  account?: AccountForm;
  onClose: () => void;
  onDone?: (id: number) => void;
}) {
  const texts = useAdminTexts();
  const words = useAccountsTexts();
  const mine = useRights().data ?? new Set<Right>();
  const [name, setName] = useState(account?.name ?? '');
  const [rights, setRights] = useState<readonly Right[]>(account?.adminCapabilities ?? []);
  const [roleId, setRoleId] = useState(account?.roleId);
  const [given, setGiven] = useState<readonly Given[]>(account?.communityRoles ?? []);
  const roles = useRoles().data?.roles ?? [];
  const { busy, faults, setFaults, send } = useSend();
  const options = roles.map(({ id, name: label = '' }) => ({ id: id!, label }));
  const givesRoles = mine.has('manageDigitalWorplace');
  const save = async () => {
    if (name.trim() === '') {
      setFaults({ name: texts.required });
      return;
    }
    const body = {
      name: name.trim(),
      adminCapabilities: [...rights],
      ...(roleId !== undefined && { roleId }),
      communityRoles: given.map(({ communityId, roleId: role }) => ({ communityId: communityId!, roleId: role! })),
    };
    let id = accountId;
    const saved = await send(async () => {
      if (account)
        await portal.serviceAccounts.replace({ serviceAccountId: id!, ...body, occToken: account.occToken! });
      else id = (await portal.serviceAccounts.create(body)).userId;
    }, texts.saved);
    if (!saved) return;
    onClose();
    onDone?.(id!);
  };
  return (
    <FormDialog
      label={account ? words.editAccount : words.newAccount}
      className="admin-dialog"
      send={{ label: account ? texts.save : texts.create, busy }}
      onSend={() => void save()}
      onClose={onClose}
    >
      <TextInput
        label={texts.name}
        required
        error={faults['name']}
        value={name}
        onChange={({ currentTarget: { value } }) => setName(value)}
      />
      <RightsInput mine={mine} value={rights} onChange={setRights} />
      {givesRoles && (
        <>
          <div className="labelled">
            <p>{words.everywhere}</p>
            <FilterSelect
              label={words.everywhere}
              all={words.noRole}
              options={options}
              value={roleId}
              onChange={setRoleId}
            />
          </div>
          <CommunityRoles options={options} given={given} onChange={setGiven} />
        </>
      )}
      <Fault text={faultBeside(faults, ['name'])} />
    </FormDialog>
  );
}

/** Roles in single communities, each with its community. */
function CommunityRoles({
  options,
  given,
  onChange,
}: {
  options: readonly { id: number; label: string }[];
  given: readonly Given[];
  onChange: (given: readonly Given[]) => void;
}) {
  const words = useAccountsTexts();
  const communities = useManagedCommunities().data ?? [];
  const free = communities.filter(({ id }) => !given.some(({ communityId }) => communityId === id));
  return (
    <fieldset className="choices">
      <legend>{words.communityRoles}</legend>
      {given.map(({ communityId, roleId }) => {
        const name = communities.find(({ id }) => id === communityId)?.name ?? `#${communityId}`;
        return (
          <div key={communityId} className="admin-pair">
            <span dir="auto">{name}</span>
            <FilterSelect
              label={`${words.role}: ${name}`}
              all={words.noRole}
              options={options}
              value={roleId}
              onChange={(next) =>
                onChange(
                  given.flatMap((each) => {
                    if (each.communityId !== communityId) return [each];
                    return next === undefined ? [] : [{ ...each, roleId: next }];
                  }),
                )
              }
            />
            <button
              type="button"
              className="tool"
              aria-label={words.remove(name)}
              title={words.remove(name)}
              onClick={() => onChange(given.filter((each) => each.communityId !== communityId))}
            >
              <X size={14} aria-hidden />
            </button>
          </div>
        );
      })}
      {free.length > 0 && options.length > 0 && (
        <FilterSelect
          label={words.addCommunity}
          all={words.addCommunity}
          options={free.map(({ id, name = '' }) => ({ id: id!, label: name }))}
          value={undefined}
          onChange={(communityId) => {
            if (communityId !== undefined) onChange([...given, { communityId, roleId: options.at(-1)!.id }]);
          }}
        />
      )}
    </fieldset>
  );
}
