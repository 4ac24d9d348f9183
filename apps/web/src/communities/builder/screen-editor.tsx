import { Textarea, TextInput } from '@mantine/core';
import type { CommunityFileScreen } from '@portico/sdk';
import { Check } from '../../admin/fields.tsx';
import { changeScreen, removeScreen } from './edit-file.ts';
import { FaultList } from './fault-mark.tsx';
import { placeOf } from './faults.ts';
import type { PartEditorProps } from './state-editor.tsx';
import { useBuilderTexts } from './texts.ts';

/** The settings of a screen: its name, its instructions, and its fields in order. */
export function ScreenEditor({ file, partKey, change, choose, faults }: PartEditorProps) {
  const words = useBuilderTexts();
  const { screens = [], screenFields = [], states = [], transitions = [] } = file.workflow ?? {};
  const screen = screens.find(({ name }) => name === partKey);
  if (!screen) return null;
  const shown = screen.fields ?? [];
  const set = (next: Partial<CommunityFileScreen>) => change((now) => changeScreen(now, partKey, next));
  const users = [...states, ...transitions].filter((one) => one.screen === partKey).map(({ name = '' }) => name);
  return (
    <section className="form-fields" aria-label={words.screen(partKey)}>
      <h2 dir="auto">{partKey}</h2>
      <FaultList faults={faults.get(placeOf('screens', partKey))} />
      <TextInput
        label={words.name}
        defaultValue={partKey}
        onBlur={({ currentTarget: { value } }) => {
          const name = value.trim();
          if (name === '' || name === partKey || screens.some((one) => one.name === name)) return;
          choose({ list: 'screens', key: name });
          set({ name });
        }}
      />
      <Textarea
        label={words.description}
        autosize
        minRows={2}
        value={screen.message ?? ''}
        onChange={({ currentTarget: { value } }) => set({ message: value })}
      />
      <fieldset className="labelled">
        <legend>{words.screenFieldsOf}</legend>
        {screenFields.length === 0 && <p className="muted">{words.noScreenFields}</p>}
        {screenFields.map(({ key = '', label = key }) => {
          const on = shown.find(({ field }) => field === key);
          return (
            <div key={key} className="builder-condition">
              <Check
                label={label}
                checked={on !== undefined}
                onChange={(checked) =>
                  set({ fields: checked ? [...shown, { field: key }] : shown.filter(({ field }) => field !== key) })
                }
              />
              {on && (
                <Check
                  label={words.requiredIn(label)}
                  checked={on.required === true}
                  onChange={(required) =>
                    set({
                      fields: shown.map((one) =>
                        one.field === key ? { field: key, ...(required && { required }) } : one,
                      ),
                    })
                  }
                />
              )}
            </div>
          );
        })}
      </fieldset>
      <div className="buttons">
        <button
          type="button"
          className="small"
          disabled={users.length > 0}
          onClick={() => {
            choose(undefined);
            change((now) => removeScreen(now, partKey));
          }}
        >
          {words.remove}
        </button>
      </div>
      {users.length > 0 && <p className="muted">{words.usedBy(users.join(', '))}</p>}
    </section>
  );
}
