import type { BulkPostOutcome } from '@portico/sdk';
import { explanationText } from '../../posts/explanation-text.ts';
import { useExplanations } from '../../posts/explanations.ts';
import { useSentences } from '../../posts/use-sentences.ts';
import { useFieldErrorText } from '../../texts/field-errors.ts';
import { useFormats, useTexts } from '../../texts/index.ts';
import type { ListedPost } from '../use-posts.ts';
import type { BulkAction } from './bulk-action.ts';
import { useBulkTexts } from './texts.ts';

/** Maximum number of refusals listed one by one. */
const SHOWN = 100;
/** Maximum number of missing rights whose reason is read. */
const EXPLAINED = 5;
const FORBIDDEN = 403;
const OPERATIONS = { edit: 'patchPost', step: 'executePostWorkflowOperation' } as const;

/** Results of an action or of its dry run: the number of posts, and the reasons of refusals. */
export function Outcomes({
  action,
  outcomes,
  written,
  posts,
}: {
  action: BulkAction;
  outcomes: readonly BulkPostOutcome[];
  /** Whether the action was carried out, not only tried. */
  written: boolean;
  posts: readonly ListedPost[];
}) {
  const texts = useTexts();
  const bulk = useBulkTexts();
  const formats = useFormats();
  const refusal = useFieldErrorText();
  const wordsOf = () => {
    if (!written) return bulk.wouldChange;
    return action.kind === 'delete' ? bulk.gone : bulk.changed;
  };
  const of = (wanted: BulkPostOutcome['outcome']) => outcomes.filter(({ outcome }) => outcome === wanted);
  const refused = of('ERROR');
  const counts = [
    [of('OK'), wordsOf()],
    [of('UNCHANGED'), bulk.unchanged],
    [refused, bulk.refused],
    [of('NOT_RUN'), bulk.notRun],
  ] as const;
  const title = (postId: number | undefined) => posts.find(({ id }) => id === postId)?.title || texts.untitled;
  return (
    <div className="bulk-outcome" role="status">
      <p>
        {counts
          .flatMap(([items, words]) => (items.length > 0 ? [words(formats.number(items.length))] : []))
          .join(' · ')}
      </p>
      {refused.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <ul tabIndex={0}>
          {refused.slice(0, SHOWN).map(({ postId, error }, index) => (
            <li key={postId}>
              <strong>{title(postId)}</strong>:{' '}
              <span className="muted">
                {error?.status === FORBIDDEN && index < EXPLAINED ? (
                  <Reason action={action} postId={postId!} message={error.message} />
                ) : (
                  ((error?.code && refusal({ code: error.code })) ?? error?.message)
                )}
              </span>
            </li>
          ))}
          {refused.length > SHOWN && <li>{bulk.more(formats.number(refused.length - SHOWN))}</li>}
        </ul>
      )}
    </div>
  );
}

/** Why the caller may not do it with this post. */
function Reason({ action, postId, message }: { action: BulkAction; postId: number; message: string | undefined }) {
  const sentences = useSentences();
  const items = useExplanations(postId).data;
  const why = items?.find(
    ({ capability, operationIds, permitted, workflowOperationId }) =>
      !permitted &&
      (action.kind === 'delete' ? capability === 'canDelete' : operationIds?.includes(OPERATIONS[action.kind])) &&
      (action.kind !== 'step' || workflowOperationId === action.step.id),
  );
  return why ? explanationText(why, sentences) : message;
}
