import type { CommunityFile, CommunityFileAccess } from '@portico/sdk';
import { Check } from '../../admin/fields.tsx';
import { Picker } from '../../write/picker.tsx';
import { Choice } from './choice.tsx';
import { defined, type Form, fieldsOf } from './edit-file.ts';
import { useBuilderTexts } from './texts.ts';

/** The people to whom a transition or a screen is open: each way suffices. */
export function AccessEditor({
  file,
  communityId,
  legend,
  value,
  onChange,
}: {
  file: CommunityFile;
  communityId: number;
  legend: string;
  value: CommunityFileAccess;
  onChange: (access: CommunityFileAccess) => void;
}) {
  const words = useBuilderTexts();
  const { roles = [], groups = [], byAuthor = false } = value;
  const set = (change: { [K in keyof CommunityFileAccess]: CommunityFileAccess[K] | undefined }) =>
    onChange(defined({ ...value, ...change }) as CommunityFileAccess);
  const audience = roles.join(' ');
  return (
    <fieldset className="labelled form-fields">
      <legend>{legend}</legend>
      <Choice
        label={words.roleOf}
        options={[
          ['', words.noRole],
          ...Object.entries(words.roles),
          ...(file.roles ?? []).map(({ key = '', name = key }) => [key, name] as const),
          ...(audience.includes(' ') ? [[audience, audience.replaceAll(' ', ', ')] as const] : []),
        ]}
        value={audience}
        onChange={(role) => set({ roles: role === '' ? undefined : role.split(' ') })}
      />
      <Check label={words.byAuthor} checked={byAuthor} onChange={(on) => set({ byAuthor: on || undefined })} />
      {(['fields', 'screenFields'] as const).map((form) => (
        <PeopleFields
          key={form}
          file={file}
          form={form}
          value={value[form] ?? []}
          onChange={(keys) => set({ [form]: keys })}
        />
      ))}
      <Picker
        label={words.groups}
        offer={{ source: { of: 'groups', id: communityId } }}
        several
        value={groups.map((label, index) => ({ id: -1 - index, label }))}
        onChange={(chosen) => {
          const names = [...new Set(chosen.map(({ label }) => label))];
          set({ groups: names.length === 0 ? undefined : names });
        }}
      />
    </fieldset>
  );
}

/** The fields whose people have access. */
function PeopleFields({
  file,
  form,
  value,
  onChange,
}: {
  file: CommunityFile;
  form: Form;
  value: readonly string[];
  onChange: (keys: string[] | undefined) => void;
}) {
  const words = useBuilderTexts();
  const fields = fieldsOf(file, form).filter(
    ({ type, metadata }) =>
      type === 'GENERIC_ENTITY_LIST' && metadata?.['generic_entity_list_config_id'] !== 'communication.post',
  );
  return fields.map(({ key = '', label = key }) => (
    <Check
      key={key}
      label={words.peopleIn(label)}
      checked={value.includes(key)}
      onChange={(on) => {
        const keys = on ? [...value, key] : value.filter((one) => one !== key);
        onChange(keys.length === 0 ? undefined : keys);
      }}
    />
  ));
}
