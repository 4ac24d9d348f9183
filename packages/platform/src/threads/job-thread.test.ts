import { getPriority, platform } from 'node:os';
import { describe, expect, it } from 'vitest';
import { runFor } from '../main-thread.ts';
import { JobFailed, JobThread } from './job-thread.ts';
import type { TestJob } from './test-thread.fixture.ts';

const script = new URL('./test-thread.fixture.ts', import.meta.url);
const made = () => new JobThread<TestJob, unknown>(script, { mostMs: 20_000, memoryMb: 64 });

/** Runs a job for a tenant. */
const runAs = (thread: ReturnType<typeof made>, tenant: number, job: TestJob, signal?: AbortSignal) =>
  runFor({ tenant, user: tenant }, () => thread.run(job, signal));

describe('a thread for jobs', () => {
  it('has a lower priority than the process', async () => {
    const before = getPriority();
    expect(await made().run({ do: 'priority' })).toBe(platform() === 'linux' ? 10 : before);
    expect(getPriority()).toBe(before);
  });

  it('serves tenants in turn', async () => {
    const thread = made();
    const order: string[] = [];
    const ask = async (tenant: number, name: string) => {
      await runAs(thread, tenant, { do: 'nothing' });
      order.push(name);
    };
    await Promise.all([ask(1, 'a1'), ask(1, 'a2'), ask(1, 'a3'), ask(2, 'b1'), ask(3, 'c1'), ask(2, 'b2')]);
    expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('drops a waiting job whose caller is gone', async () => {
    const thread = made();
    const gone = new AbortController();
    const first = thread.run({ do: 'nothing' });
    const second = thread.run({ do: 'count' }, gone.signal);
    gone.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    await first;
    expect(await thread.run({ do: 'count' })).toBe(1);
    await expect(thread.run({ do: 'count' }, gone.signal)).rejects.toThrow('gone');
  });

  it('ends a job that takes too long or too much memory, or throws, and goes on with the next', async () => {
    const slow = new JobThread<TestJob, unknown>(script, { mostMs: 500, memoryMb: 64 });
    const failed = slow.run({ do: 'loop' });
    const next = slow.run({ do: 'nothing' });
    await expect(failed).rejects.toThrow(new JobFailed('it takes longer than 500 ms'));
    expect(await next).toBeUndefined();
    const thread = made();
    await expect(thread.run({ do: 'fill' })).rejects.toThrow('it takes too much memory');
    await expect(thread.run({ do: 'throw' })).rejects.toThrow('no such job');
    await expect(thread.run({ do: 'exit' })).rejects.toThrow('its thread ended');
    expect(await thread.run({ do: 'count' })).toBe(1);
  });
});
