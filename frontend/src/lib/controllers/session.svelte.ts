import type { Backend } from '../api/backend';
import type { SessionDocument, Taught } from '../api/types';
import { madeOf } from '../artifacts';
import { cardsOf } from '../blocks';
import type { CellRef } from '../citations';
import { factsOf } from '../facts';
import { readTurn, type TurnView } from '../turn';
import { placesOf, standing, type Versions } from '../versions';
import { LiveTurn } from './turn.svelte';

/** The session in view: its turns, and the cell that something points at. */
export class SessionController {
  id = $state<string | null>(null);
  title = $state('');
  /** Which session this one was branched from; null: none. */
  origin = $state.raw<SessionDocument['origin']>(null);
  /** The file that this one came with; null: it was made here. */
  imported = $state.raw<SessionDocument['imported']>(null);
  turns = $state.raw<LiveTurn[]>([]);
  /** The cell that a number of the dialogue points at while it is hovered or focused. */
  lit = $state<CellRef | null>(null);
  /** The cell that a click asked to see. Each click is a new object, so that the same cell can be asked for twice. */
  wanted = $state.raw<CellRef | null>(null);
  /** The turn whose words are being changed, by its key. */
  editing = $state<string | null>(null);
  /** The turn that something asked to see, by its request. Each time is a new object. */
  wantedTurn = $state.raw<{ requestId: string } | null>(null);
  private readonly all = $derived(placesOf(this.turns));
  /** The places of the dialogue, each with the versions of its turn. */
  readonly places = $derived(this.all.filter((place) => !isAway(place)));
  /** The places of conversations that were put away. */
  readonly putAway = $derived(this.all.filter(isAway));
  /** The turns that stand in their places. */
  readonly standing = $derived(standing(this.places));
  /** What is among the results: what stands, and what was put away and is pinned. */
  readonly cards = $derived.by(() =>
    cardsOf([...standing(this.putAway).filter((turn) => this.pinned(turn)), ...this.standing]),
  );
  /** The session that is being fetched to take the place of this one. */
  opening: string | null = null;
  /** Settled when the program knows the version that was chosen last; never rejects. */
  kept: Promise<void> = Promise.resolve();

  /** `pinned` says whether the person keeps the answer of a turn before all others. */
  constructor(
    private readonly backend: Backend,
    private readonly pinned: (turn: LiveTurn) => boolean = ({ view }) => view?.pinned === true,
  ) {}

  /** Begins a session of its own; it exists once its first question is asked. */
  begin(): void {
    this.opening = null;
    this.id = null;
    this.title = '';
    this.origin = null;
    this.imported = null;
    this.turns = [];
    this.lit = null;
    this.wanted = null;
    this.wantedTurn = null;
    this.editing = null;
  }

  /**
   * Shows a stored session with everything that came of it, and says whether it does: of two that are fetched at once the
   * last one wanted is shown. `ready` may complete the turns before they are shown.
   */
  async open(id: string, ready: (turns: LiveTurn[]) => Promise<void> = async () => undefined): Promise<boolean> {
    this.opening = id;
    try {
      const document = await this.backend.session(id);
      const order = [...new Set(document.turns.map((turn) => turn.place))];
      const turns = document.turns.map((turn) => new LiveTurn(readTurn(turn, order.indexOf(turn.place))));
      await ready(turns);
      if (this.opening !== id) return false;
      // One that is read again stays in view as it is: the keyboard, and what was asked to be seen.
      if (this.id !== document.id) this.begin();
      this.id = document.id;
      this.title = document.title;
      this.origin = document.origin;
      this.imported = document.imported;
      this.turns = turns;
      return true;
    } finally {
      if (this.opening === id) this.opening = null;
    }
  }

  /** Puts a turn at the end, or in the place of another one, and gives it back, to be changed while it runs. */
  add(
    turn: Omit<TurnView, 'number' | 'place' | 'chosen' | 'requestId' | 'draft' | 'away'>,
    insteadOf?: LiveTurn,
  ): LiveTurn {
    const live = new LiveTurn({
      ...turn,
      number: insteadOf?.number ?? this.all.length + 1,
      place: insteadOf?.place ?? turn.key,
      chosen: true,
      requestId: '',
      draft: null,
      away: '',
    });
    this.turns = [...this.turns, live];
    this.choose(live);
    if (this.title === '') this.title = turn.question;
    return live;
  }

  /** A turn taught something on a word of its person. */
  learned(key: string, taught: Taught): void {
    const turn = this.turn(key);
    if (turn) turn.learned = taught;
  }

  /** Takes a turn out again that never was one. */
  withdraw(turn: LiveTurn): void {
    this.turns = this.turns.filter((known) => known !== turn);
  }

  /** Shows a version in the place of its turn. */
  choose(turn: LiveTurn): void {
    for (const other of this.turns) if (other.place === turn.place) other.chosen = other === turn;
  }

  /** The versions of the turn with a key. */
  versions(key: string): Versions<LiveTurn> {
    return this.all.find(({ all }) => all.some((turn) => turn.key === key)) ?? { all: [], at: -1 };
  }

  /** The turn with a key. */
  turn(key: string): LiveTurn | undefined {
    return this.turns.find((turn) => turn.key === key);
  }

  /** Fetches what the provenance artifact of a turn says beyond its answer. Without it the card shows the rest. */
  async fetchFacts(key: string): Promise<void> {
    const live = this.turn(key);
    if (!live || live.facts !== null || this.id === null) return;
    live.facts = [];
    const document = await this.backend.session(this.id).catch(() => null);
    const stored = document?.turns.find(
      (turn) => turn.request_id === key || turn.request_id === live.answer?.request_id,
    );
    if (stored) live.facts = factsOf(stored);
  }

  /** What was sent to models elsewhere for a request, word for word. */
  sentTexts = (requestId: string) => this.backend.sentTexts(requestId);

  /** Fetches the artifacts of a turn that its answer only names. Without them its other cards are shown. */
  async fetchMade(live: LiveTurn): Promise<void> {
    const id = live.answer?.session_id;
    const document = id ? await this.backend.session(id).catch(() => null) : null;
    const stored = document?.turns.find((turn) => turn.request_id === live.answer?.request_id);
    if (stored) live.made = madeOf(stored.artifacts);
  }

  /** The questions of the session, the last one first, for recalling them in the composer. */
  get recent(): string[] {
    // The words of a query that was put together are no question that was typed.
    const typed = this.turns.filter((turn) => turn.asked.frame_ql === undefined);
    const questions = typed.map((turn) => turn.asked.question ?? '').filter((question) => question !== '');
    return [...new Set(questions.reverse())];
  }
}

const isAway = ({ all, at }: Versions<LiveTurn>): boolean => (all[at]?.away ?? '') !== '';
