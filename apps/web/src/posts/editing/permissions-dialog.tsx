import type { Explanation } from '@portico/sdk';
import { Check, X } from 'lucide-react';
import { Loaded } from '../../placeholders.tsx';
import { Dialog } from '../../shell/dialog.tsx';
import { useWriteTexts } from '../../write/texts.ts';
import { splitExplanation } from '../explanation-text.ts';
import { useExplanations } from '../explanations.ts';
import { useSentences } from '../use-sentences.ts';

/** The caller's rights and missing rights for a post, steps first, each with the reason. */
export function PermissionsDialog({ postId, onClose }: { postId: number; onClose: () => void }) {
  const texts = useWriteTexts();
  const why = useExplanations(postId);
  const items = why.data ?? [];
  const steps = items.filter(({ workflowOperationId }) => workflowOperationId !== undefined);
  const others = items.filter(({ workflowOperationId }) => workflowOperationId === undefined);
  return (
    <Dialog label={texts.permissions} className="post-dialog" onClose={onClose}>
      <h2>{texts.permissions}</h2>
      <Loaded query={why}>
        {() => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          <div className="permissions" tabIndex={0}>
            {items.every(({ permitted }) => permitted) && <p>{texts.mayAll}</p>}
            <PermissionList label={texts.stepNow} items={steps} />
            <PermissionList label={texts.ofThePost} items={others} />
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}

/** Explanations below their heading, refusals first. */
function PermissionList({ label, items }: { label: string; items: readonly Explanation[] }) {
  const texts = useWriteTexts();
  const sentences = useSentences();
  if (items.length === 0) return null;
  return (
    <section>
      <h3>{label}</h3>
      <ul>
        {items
          .toSorted((one, other) => Number(one.permitted) - Number(other.permitted))
          .map((item) => {
            const { what, reason } = splitExplanation(item, sentences);
            return (
              <li
                key={`${item.capability}-${item.scope}-${item.workflowOperationId}`}
                {...(item.permitted && { 'data-may': '' })}
              >
                {item.permitted ? (
                  <Check size={14} className="permission-icon" role="img" aria-label={texts.may} />
                ) : (
                  <X size={14} className="permission-icon" role="img" aria-label={texts.mayNot} />
                )}
                <span>
                  <strong>{item.workflowOperationName ?? what}</strong>
                  <span className="muted">{reason}</span>
                </span>
              </li>
            );
          })}
      </ul>
    </section>
  );
}
