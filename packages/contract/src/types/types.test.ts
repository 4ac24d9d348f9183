import { expect, it } from 'vitest';
import { Visibility } from '../codes/codes.ts';
import { TaskState } from '../codes/defined-codes.ts';
import type { OperationIo } from '../operations/io.ts';
import type { PostDetail, TaskDetail } from './index.ts';

// The compiler is the test: it refuses a line below an expected error that is none.
it('types a field with codes as the union of its codes', () => {
  const post: PostDetail = { visibility: Visibility.PUBLIC };
  // @ts-expect-error 3 is no visibility
  expect(post.visibility === 3).toBe(false);
  // @ts-expect-error 9 is no visibility
  const wrong: PostDetail = { visibility: 9 };
  // @ts-expect-error 0 is no state of a task
  const task: TaskDetail = { state: 0 };
  task.state = TaskState.CLOSED;
  // @ts-expect-error a list of codes holds codes only
  const filter: OperationIo['listCommunityPostsFiltered']['body'] = { postTypes: [4] };
  expect([wrong, task, filter]).toHaveLength(3);
});
