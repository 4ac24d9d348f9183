/** Dialogs of actions that show their effect before they run. */

import type { DryRun } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useFormats } from '../texts/index.ts';
import { Fault } from '../write/fault.tsx';
import { FormDialog } from '../write/form-dialog.tsx';
import { useAllTexts } from '../write/texts.ts';
import { useNounTexts } from './nouns.ts';
import { useAdminTexts } from './texts.ts';
import { adminFaults, useSend } from './use-send.ts';

/**
 * A dialog that asks before an action, with the effect of its dry run.
 * @param dryRun runs the action as a dry run; the action is inactive while that is refused
 */
export function ConfirmDialog({
  title,
  action,
  dryRun,
  run,
  done,
  onDone,
  onClose,
  children,
}: {
  title: string;
  /** Text of the button. */
  action: string;
  dryRun: () => Promise<{ dryRun?: DryRun } | undefined>;
  run: () => Promise<unknown>;
  /** The notice after it; none where `onDone` shows the outcome. */
  done?: string;
  /** Called when the action was run, instead of `onClose`. */
  onDone?: () => void;
  onClose: () => void;
  children?: ReactNode;
}) {
  const texts = useAdminTexts();
  const { busy, faults, send } = useSend();
  const preview = useQuery({
    queryKey: ['admin', 'dry-run', title],
    queryFn: async () => (await dryRun())?.dryRun ?? { changes: [] },
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
  const confirm = async () => {
    if (await send(run, done)) (onDone ?? onClose)();
  };
  return (
    <FormDialog
      label={title}
      className="admin-dialog"
      formClassName="form-fields"
      send={{ label: action, busy, disabled: !preview.isSuccess }}
      onSend={() => void confirm()}
      onClose={onClose}
    >
      {children}
      <Effect preview={preview} />
      <p className="muted">{texts.audited}</p>
      <Fault text={faults['']} />
    </FormDialog>
  );
}

/** Says what a dry run would do, by action and kind of object. */
function Effect({
  preview,
}: {
  preview: { data: Pick<DryRun, 'changes'> | undefined; error: unknown; isPending: boolean };
}) {
  const texts = useAdminTexts();
  const all = useAllTexts();
  const formats = useFormats();
  const nouns = useNounTexts();
  if (preview.isPending)
    return (
      <p className="effect" role="status">
        {texts.previewing}
      </p>
    );
  if (preview.error) return <Fault text={Object.values(adminFaults(preview.error, all, texts))[0]} />;
  const groups = Map.groupBy(preview.data?.changes ?? [], ({ action }) => action ?? '');
  const lines = [...groups].map(([action, changes]) => {
    const kinds = [...Map.groupBy(changes, ({ entity }) => entity ?? '')];
    const counts = kinds.map(([entity, own]) => nouns.counted(entity, own.length, formats.number(own.length)));
    return [texts.wouldBe[action as keyof typeof texts.wouldBe] ?? action, counts.join(', ')] as const;
  });
  return (
    <section className="effect" aria-label={texts.preview}>
      <h3>{texts.preview}</h3>
      {lines.length === 0 && <p>{texts.noEffect}</p>}
      <ul>
        {lines.map(([action, counts]) => (
          <li key={action}>
            {action}: {counts}
          </li>
        ))}
      </ul>
    </section>
  );
}
