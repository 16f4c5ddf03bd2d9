import type { Answer, Narration, Step, Taught } from '../api/types';
import type { Elsewhere, Fact, View } from '../api/types';
import { noOpinion, type OpinionState } from '../feedback';
import type { Made } from '../artifacts';
import { asAnswered, type Asked, type Problem, type Stands, type TurnState, type TurnView } from '../turn';

/** A turn that changes while it runs. Answers are immutable, so their rows are kept as they are and never watched. */
export class LiveTurn implements TurnView {
  readonly key: string;
  readonly number: number;
  readonly place: string;
  chosen = $state(true);
  requestId = $state('');
  readonly asked: Asked;
  readonly question: string;
  readonly at: string;
  state = $state<TurnState>('running');
  steps = $state.raw<Step[]>([]);
  draft = $state.raw<Narration | null>(null);
  answer = $state.raw<Answer | null>(null);
  problem = $state.raw<Problem | null>(null);
  facts = $state.raw<Fact[] | null>(null);
  opinion = $state.raw<OpinionState>(noOpinion);
  learned = $state.raw<Taught | null>(null);
  stands = $state.raw<Stands>(asAnswered);
  readonly view: View | null;
  made = $state.raw<Made[]>([]);
  readonly away: string;
  readonly elsewhere: Elsewhere | undefined;

  constructor(turn: TurnView) {
    this.key = turn.key;
    this.number = turn.number;
    this.place = turn.place;
    this.chosen = turn.chosen;
    this.requestId = turn.requestId;
    this.asked = turn.asked;
    this.question = turn.question;
    this.at = turn.at;
    this.state = turn.state;
    this.steps = turn.steps;
    this.answer = turn.answer;
    this.problem = turn.problem;
    this.facts = turn.facts;
    this.stands = turn.stands;
    this.opinion = turn.opinion;
    this.learned = turn.learned;
    this.view = turn.view;
    this.made = turn.made;
    this.away = turn.away;
    this.elsewhere = turn.elsewhere;
  }
}
