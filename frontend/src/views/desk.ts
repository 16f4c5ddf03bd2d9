import type { Desk } from '$components/artifacts/desk';
import type { App } from '$lib/app.svelte';

/** What the cards may use of the page. */
export function deskOf(app: App, running: boolean): Desk {
  const { session } = app;
  return {
    results: app.results,
    charts: app.charts,
    exports: app.exports,
    holdings: app.handover.holdings,
    lit: session.lit,
    wanted: session.wanted,
    dark: app.theme.dark,
    locale: app.locale,
    running,
    // The program works no simulation out yet; those that follow in a straight line are worked out by their card.
    recompute: null,
    onrun: (frame_ql) => void app.ask({ frame_ql }),
    onprovenance: (turn) => app.fetchProvenance(turn),
    sentTexts: session.sentTexts,
    onexport: (turn, format) => void app.export(session.turn(turn), format),
    onpin: (turn, pinned) => void app.pin(session.turn(turn), pinned),
    oncopied: (turn) => app.copied(turn),
    linkTo: (requestId) => app.places.linkTo(session.id ?? '', requestId),
    onbranch: (turn, artifact) => void app.handover.branches.from(session.turn(turn)?.answer, artifact),
    onedit: (requestId, frameQL) => {
      app.query.open('frame_ql', frameQL, null, requestId);
      app.places.go('query');
    },
    onagain: (turn) => void app.revise.again(turn),
    versionsOf: (turn) => session.versions(turn),
    onstep: (turn, by) => void app.revise.step(turn, by),
    onconfirm: (turn) => app.confirm(turn),
    onobject: (id) => app.places.go('model', id),
  };
}
