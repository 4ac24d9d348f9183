import { Dialog } from '../../shell/dialog.tsx';
import { Failed, Loading } from '../../states.tsx';
import { useWriteTexts } from '../../write/texts.ts';
import { sentenceOf, useExplanations } from '../explanations.ts';

/** What the caller may not do with a post, each action with the reason. */
export function WhyNot({ postId, onClose }: { postId: number; onClose: () => void }) {
  const texts = useWriteTexts();
  const why = useExplanations(postId);
  const refused = why.data?.filter(({ permitted }) => !permitted) ?? [];
  return (
    <Dialog label={texts.whyNot} className="why" onClose={onClose}>
      <h2>{texts.whyNot}</h2>
      {why.isPending ? (
        <Loading />
      ) : why.isError ? (
        <Failed error={why.error} retry={() => void why.refetch()} />
      ) : refused.length === 0 ? (
        <p>{texts.mayAll}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <ul tabIndex={0}>
          {refused.map((item) => (
            <li key={`${item.capability}-${item.scope}-${item.workflowOperationId}`}>{sentenceOf(item)}</li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
