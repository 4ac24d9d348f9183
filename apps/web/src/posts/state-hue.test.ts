import { expect, test } from 'vitest';
import { hueOf } from './state-hue.ts';

test('a colour becomes the nearest of eight hues; what is no colour is grey', () => {
  const colours = [
    '#d64545',
    '#12fea4',
    '#4655d4',
    '#ffcc00',
    '#e08a1e',
    '#00b8d4',
    '#8e44ad',
    '#777a7d',
    'red',
    undefined,
  ];
  expect(colours.map(hueOf)).toEqual([
    'red',
    'green',
    'blue',
    'yellow',
    'orange',
    'teal',
    'purple',
    'grey',
    'grey',
    'grey',
  ]);
});
