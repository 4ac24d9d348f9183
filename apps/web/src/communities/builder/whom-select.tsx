import type { CommunityFile } from '@portico/sdk';
import { useState } from 'react';
import type { Choice } from '../../write/input-values.ts';
import { Picker } from '../../write/picker.tsx';
import { useBuilderTexts } from './texts.ts';
import type { Whom } from './use-checks.ts';

const ME = '';
const PERSON = '#';

/** Chooses the person as whom forms and steps are shown. */
export function WhomSelect({
  file,
  communityId,
  value,
  onChange,
}: {
  file: CommunityFile;
  communityId: number;
  value: Whom;
  onChange: (whom: Whom) => void;
}) {
  const words = useBuilderTexts();
  const [person, setPerson] = useState<readonly Choice[]>();
  const roles = [
    ...Object.entries(words.roleNames),
    ...(file.roles ?? []).map(({ key = '', name = key }) => [key, name] as const),
  ];
  return (
    <div className="builder-whom">
      <label>
        <span className="admin-caption">{words.whom}</span>
        <select
          className="field"
          value={person ? PERSON : (value.role ?? ME)}
          onChange={({ currentTarget: { value: chosen } }) => {
            setPerson(chosen === PERSON ? [] : undefined);
            onChange(chosen === ME || chosen === PERSON ? {} : { role: chosen });
          }}
        >
          <option value={ME}>{words.me}</option>
          {roles.map(([key, name]) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
          <option value={PERSON}>{words.aPerson}</option>
        </select>
      </label>
      {person && (
        <Picker
          label={words.person}
          offer={{ source: { of: 'people', id: communityId } }}
          several={false}
          value={person}
          onChange={(next) => {
            setPerson(next);
            onChange(next[0] ? { userId: next[0].id } : {});
          }}
        />
      )}
    </div>
  );
}
