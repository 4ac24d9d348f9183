import '../../admin/admin.css';
import type { CommunityFile, CommunityPlanLoss } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Plan } from '../../admin/communities/plan.tsx';
import { useAdminTexts } from '../../admin/texts.ts';
import { adminFaults, useSend } from '../../admin/use-send.ts';
import { Loading } from '../../placeholders.tsx';
import { portal } from '../../portal.ts';
import { useFormats } from '../../texts/index.ts';
import { Fault } from '../../write/fault.tsx';
import { FormDialog } from '../../write/form-dialog.tsx';
import { useAllTexts } from '../../write/texts.ts';
import { type Chosen, isComplete, lossKey, omittedValues, type Treatment, targetsOf, treatmentsOf } from './losses.ts';
import { useBuilderTexts } from './texts.ts';
import type { Plan as PlanOf } from './use-checks.ts';

interface PublishDialogProps {
  communityId: number;
  draft: CommunityFile;
  published: CommunityFile;
  onClose: () => void;
  onDone: () => void;
}

/** Publishes the saved draft as planned. Inactive while a loss has no treatment. */
export function PublishDialog({ communityId, draft, published, onClose, onDone }: PublishDialogProps) {
  const words = useBuilderTexts();
  const [chosen, setChosen] = useState<Readonly<Record<string, Chosen>>>({});
  const { busy, faults, send } = useSend();
  const plan = useQuery({
    queryKey: ['community-draft-publish', communityId, draft],
    queryFn: () => portal.communities.planDefinition({ communityId }),
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
  const { losses = [], planToken, changesCount = 0 } = plan.data ?? {};
  const open = losses.filter((loss) => {
    const omitted = loss.kind === 'values' ? omittedValues(loss, published, draft) : [];
    return !isComplete(loss, chosen[lossKey(loss)], omitted);
  });
  const publish = async () => {
    const input = { communityId, ...treatmentsOf(losses, chosen), ...(planToken !== undefined && { planToken }) };
    if (await send(() => portal.communities.applyDefinition(input), words.published)) onDone();
    else void plan.refetch();
  };
  return (
    <FormDialog
      label={words.planTitle}
      className="admin-dialog"
      send={{
        label: words.publishNow,
        busy,
        disabled: !plan.isSuccess || plan.isFetching || open.length > 0 || changesCount === 0,
      }}
      onSend={() => void publish()}
      onClose={onClose}
    >
      <Planned query={plan} />
      {losses.length > 0 && (
        <section aria-label={words.losses}>
          <h3>{words.losses}</h3>
          <p>{words.lossHint}</p>
          {losses.map((loss) => (
            <LossChoice
              key={lossKey(loss)}
              loss={loss}
              draft={draft}
              published={published}
              value={chosen[lossKey(loss)] ?? {}}
              onChange={(next) => setChosen({ ...chosen, [lossKey(loss)]: next })}
            />
          ))}
          {open.length > 0 && <p role="status">{words.open}</p>}
        </section>
      )}
      <Fault text={Object.values(faults)[0]} />
    </FormDialog>
  );
}

/** The changes, the new faults and the changes of rights of a plan. */
function Planned({ query }: { query: { data: PlanOf | undefined; error: unknown; isPending: boolean } }) {
  const words = useBuilderTexts();
  const texts = useAllTexts();
  const admin = useAdminTexts();
  const formats = useFormats();
  if (query.isPending) return <Loading />;
  if (query.error) return <Fault text={Object.values(adminFaults(query.error, texts, admin))[0]} />;
  const { findings = [], accessChanges = [] } = query.data ?? {};
  const fresh = findings.filter((finding) => finding.new);
  return (
    <>
      <Plan plan={query.data!} />
      {fresh.length > 0 && (
        <section className="effect" aria-label={words.newFaults}>
          <h3>{words.newFaults}</h3>
          <ul>
            {fresh.map(({ kind, text }) => (
              <li key={`${kind} ${text}`}>{text}</li>
            ))}
          </ul>
        </section>
      )}
      {accessChanges.length > 0 && (
        <section className="effect" aria-label={words.access}>
          <h3>{words.access}</h3>
          <ul>
            {accessChanges.map(({ communityName = '', permission = '', gainingCount = 0, losingCount = 0 }) => (
              <li key={`${communityName} ${permission}`}>
                {permission}: +{formats.number(gainingCount)} −{formats.number(losingCount)}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** A loss, with a treatment to choose. */
function LossChoice({
  loss,
  draft,
  published,
  value,
  onChange,
}: {
  loss: CommunityPlanLoss;
  draft: CommunityFile;
  published: CommunityFile;
  value: Chosen;
  onChange: (chosen: Chosen) => void;
}) {
  const words = useBuilderTexts();
  const { text = '', choices = [], examples = [] } = loss;
  const targets = targetsOf(loss, draft);
  const [about] = text.split(/ \(for example |\. Send /);
  return (
    <fieldset className="labelled">
      <legend>{about}</legend>
      {examples.length > 0 && (
        <p className="muted">
          {words.examples}: {examples.map(({ postId, title }) => title || `#${postId}`).join(', ')}
        </p>
      )}
      <select
        className="field"
        aria-label={words.treatment}
        value={value.treatment ?? ''}
        onChange={({ currentTarget }) => onChange({ treatment: currentTarget.value as Treatment })}
      >
        {value.treatment === undefined && <option value="">–</option>}
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {words.treatments[choice]}
          </option>
        ))}
      </select>
      {value.treatment === 'map' &&
        (loss.kind === 'values' ? (
          omittedValues(loss, published, draft).map(({ key, label }) => (
            <Target
              key={key}
              label={label}
              targets={[{ key: '', label: words.noTarget }, ...targets]}
              value={value.values?.[key]}
              onChange={(to) => onChange({ ...value, values: { ...value.values, [key]: to } })}
            />
          ))
        ) : (
          <Target
            label={words.target}
            targets={targets}
            value={value.into}
            onChange={(into) => onChange({ ...value, into })}
          />
        ))}
    </fieldset>
  );
}

const UNCHOSEN = ' ';

function Target({
  label,
  targets,
  value,
  onChange,
}: {
  label: string;
  targets: readonly { readonly key: string; readonly label: string }[];
  value: string | undefined;
  onChange: (key: string) => void;
}) {
  return (
    <label>
      <span className="admin-caption">{label}</span>
      <select
        className="field"
        value={value ?? UNCHOSEN}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {value === undefined && <option value={UNCHOSEN}>–</option>}
        {targets.map((target) => (
          <option key={target.key} value={target.key}>
            {target.label}
          </option>
        ))}
      </select>
    </label>
  );
}
