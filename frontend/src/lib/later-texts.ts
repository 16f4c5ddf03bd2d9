// What the review, the settings, the model view and the dialogs of a session say. It comes with whatever shows a part of them, and not with the first view: import this before the parts.
import { learn } from './text';

learn(
  import.meta.glob<Record<string, string>>('../../../backend/text/*.json', {
    eager: true,
    import: 'default',
    query: '?part=later',
  }),
);
