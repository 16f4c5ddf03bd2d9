import { fireEvent, render, screen } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { Fault } from '$lib/api/fault';
import type { Trouble } from '$lib/api/types';
import Problems from '../src/views/Problems.svelte';

function trouble(n: number, repairs: string[]): Trouble {
  const file = `context/metrics/m${n}.yaml`;
  return {
    id: `t${n}`,
    kind: 'context',
    file,
    line: n,
    object: '',
    message: `Wrong ${n}.`,
    hint: '',
    source: '',
    repairs,
  };
}

test('what of a workspace cannot be read is named with its place, and what mends it is a click away', async () => {
  const done: string[][] = [];
  const opened: string[] = [];
  render(Problems, {
    problems: [trouble(3, ['open', 'restore', 'set_aside']), trouble(4, []), trouble(5, []), trouble(6, ['restore'])],
    onrepair: (problem: string, how: string) => {
      done.push([problem, how]);
      return how === 'restore' ? Promise.resolve() : Promise.reject(new Fault('unavailable', 'The disk is full.'));
    },
    onopen: (file: string) => opened.push(file),
  });
  expect(screen.getByText('context/metrics/m3.yaml:3: Wrong 3.')).toBeTruthy();
  expect(screen.queryByText(/Wrong 6/)).toBeNull();
  await fireEvent.click(screen.getByRole('button', { name: '1 more problem' }));
  expect(screen.getByText(/Wrong 6/)).toBeTruthy();
  await fireEvent.click(screen.getAllByRole('button', { name: 'Restore the last version' })[0]!);
  await fireEvent.click(screen.getByRole('button', { name: 'Put the file aside' }));
  expect(done).toEqual([
    ['t3', 'restore'],
    ['t3', 'set_aside'],
  ]);
  expect(await screen.findByText('The disk is full.')).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: 'Open the file' }));
  expect(opened).toEqual(['context/metrics/m3.yaml']);
});
