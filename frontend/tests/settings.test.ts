import { describe, expect, it } from 'vitest';
import { FakeSettings } from '$lib/api/fake';
import { Fault } from '$lib/api/fault';
import { blocksOf } from '$lib/blocks';
import { SettingsController } from '$lib/controllers/settings.svelte';
import { Theme } from '$lib/controllers/theme.svelte';
import { storedTurn } from '$lib/turn';
import { answers, storedTurn as stored } from './fixtures';

async function loaded(api = new FakeSettings()) {
  const settings = new SettingsController(api, new Theme());
  await settings.load();
  return { api, settings };
}

describe('settings', () => {
  it('hold at once, and are kept', async () => {
    const { api, settings } = await loaded();
    const kept = settings.choose({ theme: 'dark', density: 'compact', zoom: 150, locale: 'de-DE' });
    expect(document.documentElement.dataset.theme).toBe('dark');
    expect(document.documentElement.dataset.density).toBe('compact');
    expect(document.documentElement.style.getPropertyValue('--zoom')).toBe('1.5');
    expect(settings.locale).toBe('de-DE');
    await kept;
    expect(api.chosen.at(-1)).toMatchObject({ theme: 'dark', density: 'compact', zoom: 150, followups: true });
    await settings.choose({ theme: 'system', density: 'comfortable', zoom: 100 });
    expect(document.documentElement.style.getPropertyValue('--zoom')).toBe('1');
  });

  it('are as before when they cannot be kept, and say why', async () => {
    const { api, settings } = await loaded();
    api.failure = new Fault('unavailable', 'the disk is full');
    await settings.choose({ followups: false });
    expect(settings.followups).toBe(true);
    expect(settings.problem?.message).toBe('the disk is full');
    api.failure = null;
    await settings.choose({ followups: false });
    expect([settings.followups, settings.problem]).toEqual([false, null]);
  });

  it('that follow each other are kept one after the other, all of them', async () => {
    const { api, settings } = await loaded();
    await Promise.all([settings.choose({ zoom: 110 }), settings.choose({ narration: false })]);
    expect(api.chosen.at(-1)).toMatchObject({ zoom: 110, narration: false });
    expect(settings.now).toMatchObject({ zoom: 110, narration: false });
    await settings.choose({ zoom: 100 });
  });

  it('change nothing before they are loaded', async () => {
    const api = new FakeSettings();
    const settings = new SettingsController(api, new Theme());
    await settings.choose({ zoom: 200 });
    expect(api.chosen).toEqual([]);
  });

  it('leave the sentence and the questions to go on with away', () => {
    const turn = storedTurn(stored({ answer: answers.category }), 0);
    const kinds = (shown: { narration: boolean; followups: boolean }) =>
      blocksOf(turn, shown).map((block) => (block.kind === 'narration' && !block.narration ? 'title' : block.kind));
    expect(kinds({ narration: true, followups: true })).toEqual(expect.arrayContaining(['narration', 'followups']));
    expect(kinds({ narration: false, followups: false })).toContain('title');
    expect(kinds({ narration: false, followups: false })).not.toContain('followups');
  });
});
