import { describe, expect, it } from 'vitest';
import { longForm } from '../../../test/support/long-form.ts';
import { ask, community, run, useImports } from './import.fixture.ts';

useImports();

const ROWS = longForm ? 10_000 : 1_000;

describe(`${ROWS} rows`, () => {
  it('are taken in batches; how long it takes is printed', async () => {
    const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta'];
    const lines = ['id,title,text,author,made,amount,kind,tags,ref'];
    for (let i = 0; i < ROWS; i++) {
      const text = Array.from({ length: 60 }, (_, n) => words[(i * 7 + n * n) % words.length]).join(' ');
      const cells = [
        i,
        `Order ${i} of ${words[i % 8]}`,
        text,
        `Person Nr${i % 97}`,
        `20${10 + (i % 15)}-03-0${1 + (i % 9)}`,
      ];
      lines.push([...cells, i / 4, words[i % 5], `${words[i % 3]}|${words[i % 7]}`, (i + ROWS / 2) % ROWS].join(','));
    }
    const mapping = `
externalId: id
title: title
body: text
author: author
created: made
hashtags: {column: tags, split: "|"}
fields:
  amount: {column: amount, type: DECIMAL, sortable: true}
  kind: {column: kind, type: ENUM, sortable: true}
  tags: {column: tags, type: ENUM_LIST, split: "|", catalog: Tags}
  ref: {column: ref, type: GENERIC_ENTITY_LIST, of: post}`;
    const report = await run(lines.join('\n'), mapping);
    process.stdout.write(`${ROWS} rows: ${report.seconds.toFixed(1)} s\n`);
    expect(report).toMatchObject({ rows: ROWS, created: ROWS, refused: 0, refusals: [] });
    const { totalItemsCount } = await ask('POST', `/communication/posts/data/list/community/${await community()}`, {
      pageSize: 1,
      calculateTotalItemsCount: true,
    });
    expect(totalItemsCount).toBe(ROWS);
    const again = await run(lines.join('\n'), mapping);
    process.stdout.write(`the same again: ${again.seconds.toFixed(1)} s\n`);
    expect(again).toMatchObject({ created: 0, edited: 0, unchanged: ROWS });
  }, 300_000);
});
