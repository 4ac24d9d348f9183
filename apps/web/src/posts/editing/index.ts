/** The editing of posts, loaded for callers with the right to edit. */
import './editing.css';
import '../../write/write.css';

export { Acknowledge } from './acknowledge.tsx';
export { Actions, DraftNotice } from './actions.tsx';
export { CommentBox } from './comment-box.tsx';
export { CommentTools, NewComment } from './comment-tools.tsx';
export { EditAttachments } from './edit-attachments.tsx';
export { EditCustomFields } from './edit-custom-fields.tsx';
export { EditText } from './edit-text.tsx';
export { EditTitle } from './edit-title.tsx';
export { Event } from './event.tsx';
export { FollowPost } from './follow-post.tsx';
export { LikePost } from './like-post.tsx';
export { PostKeys } from './post-keys.tsx';
export { ScreenDialog } from './screen-dialog.tsx';
export { sendComment } from './send-comment.ts';
export { Steps } from './steps.tsx';
export { takeStep } from './take-step.ts';
export { Tasks } from './tasks.tsx';
