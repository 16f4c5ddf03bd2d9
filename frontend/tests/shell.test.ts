import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Commands, type Command } from '$lib/controllers/commands.svelte';
import { Places } from '$lib/controllers/places.svelte';
import { keycaps, pressed } from '$lib/keys';

const press = (key: string, more: Partial<KeyboardEvent> = {}) =>
  ({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, target: null, ...more }) as KeyboardEvent;

describe('keys', () => {
  it.each([
    ['Mod+K', press('k', { ctrlKey: true }), true],
    ['Mod+K', press('k'), false],
    ['Mod+K', press('K', { ctrlKey: true, shiftKey: true }), false],
    ['Mod+K', press('k', { ctrlKey: true, metaKey: true }), false],
    ['Mod+Shift+F', press('F', { ctrlKey: true, shiftKey: true }), true],
    ['Alt+1', press('1', { altKey: true }), true],
    ['?', press('?', { shiftKey: true }), true],
    ['?', press('?'), true],
    ['Escape', press('Escape'), true],
    ['Escape', press('Escape', { shiftKey: true }), false],
  ])('%s', (keys, event, expected) => expect(pressed(event, keys)).toBe(expected));

  it('are named as on the keyboard', () => expect(keycaps('Mod+Shift+F')).toEqual(['Ctrl', 'Shift', 'F']));
});

describe('commands', () => {
  const command = (id: string, more: Partial<Command> = {}): Command => ({
    id,
    title: id,
    section: 'x',
    act: vi.fn(),
    ...more,
  });

  it('are done by their shortcut, and a later one goes first', () => {
    const commands = new Commands();
    const [first, second] = [command('a', { keys: 'Mod+E' }), command('b', { keys: 'Mod+E' })];
    commands.add([first]);
    const take = commands.add([second]);
    expect(commands.press(press('e', { ctrlKey: true }))).toBe(true);
    expect(second.act).toHaveBeenCalledOnce();
    take();
    commands.press(press('e', { ctrlKey: true }));
    expect(first.act).toHaveBeenCalledOnce();
  });

  it('are neither listed nor done while they cannot be', () => {
    const commands = new Commands();
    const one = command('a', { keys: 'Mod+E', when: () => false });
    commands.add([one]);
    expect(commands.available).toEqual([]);
    expect(commands.press(press('e', { ctrlKey: true }))).toBe(false);
    expect(one.act).not.toHaveBeenCalled();
  });

  it('are asked each time whether they can be done', () => {
    const commands = new Commands();
    let there = false; // as an element of the page is, which no state tells of
    commands.add([command('a', { keys: 'Mod+E', when: () => there })]);
    expect(commands.press(press('e', { ctrlKey: true }))).toBe(false);
    there = true;
    expect(commands.press(press('e', { ctrlKey: true }))).toBe(true);
    expect(commands.available).toHaveLength(1);
  });

  it('without Ctrl leave a field alone that is being written in', () => {
    const commands = new Commands();
    const help = command('help', { keys: '?' });
    commands.add([help]);
    expect(commands.press(press('?', { target: document.createElement('textarea') }))).toBe(false);
    expect(commands.press(press('?', { target: document.body }))).toBe(true);
  });

  it('close the palette when they are done', () => {
    const commands = new Commands();
    commands.paletteOpen = true;
    commands.run(command('a'));
    expect(commands.paletteOpen).toBe(false);
  });
});

describe('places', () => {
  beforeEach(() => sessionStorage.clear());

  it('stand in the address, and come back from it', () => {
    history.replaceState(null, '', '/');
    const places = new Places();
    expect(places.place).toBe('workspace');
    places.go('model', 'order lines');
    expect(location.hash).toBe('#model/order%20lines');
    expect([new Places().place, new Places().item]).toEqual(['model', 'order lines']);
    places.go('workspace');
    expect(location.hash).toBe('');
    places.name('abc-1');
    expect(location.hash).toBe('#session/abc-1');
    expect(new Places().sessionId).toBe('abc-1');
  });

  it('keep the session while another view is open', () => {
    history.replaceState(null, '', '/#session/one');
    const places = new Places();
    places.go('settings');
    expect(location.hash).toBe('#settings');
    places.name('two');
    expect(location.hash).toBe('#settings');
    expect(new Places().sessionId).toBe('two');
    places.go('workspace');
    expect(location.hash).toBe('#session/two');
  });

  it('hear of a session when the address changes to it', () => {
    history.replaceState(null, '', '/');
    const places = new Places();
    const hear = vi.fn();
    const stop = places.follow(hear);
    history.replaceState(null, '', '/#session/three');
    dispatchEvent(new PopStateEvent('popstate'));
    expect(hear).toHaveBeenCalledExactlyOnceWith('three', null);
    stop();
    history.replaceState(null, '', '/#session/four');
    dispatchEvent(new PopStateEvent('popstate'));
    expect(hear).toHaveBeenCalledOnce();
  });

  it.each(['#nowhere', '#session/../x', '#model/%E0%A4%A', '#'])(
    'take %s for the workspace or for all of a view',
    (hash) => {
      history.replaceState(null, '', `/${hash}`);
      const places = new Places();
      expect([places.item, places.sessionId]).toEqual(['', null]);
    },
  );
});
