/** The editing of posts, loaded for those who may edit. */
import './editing.css';
import '../../write/write.css';

export { Acknowledge } from './acknowledge.tsx';
export { Actions, DraftLine } from './actions.tsx';
export { EditAttachments } from './attach.tsx';
export { CommentBox } from './comment-box.tsx';
export { CommentTools, NewComment } from './comment-tools.tsx';
export { EditFacts } from './edit-facts.tsx';
export { EditText } from './edit-text.tsx';
export { EditTitle } from './edit-title.tsx';
export { Event } from './event.tsx';
export { FollowPost } from './follow.tsx';
export { LikePost } from './like-post.tsx';
export { ScreenDialog } from './screen-dialog.tsx';
export { Steps } from './steps.tsx';
export { takeStep } from './take-step.ts';
export { Tasks } from './tasks.tsx';
