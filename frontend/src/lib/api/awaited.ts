// Shapes of routes that the API description does not name yet; each gives way to the generated one when it does.

/** A session in the family of another one, in pre-order. */
export interface BranchHead {
  id: string;
  title: string;
  /** The session that it goes on from; empty: it is the first of all. */
  parent: string;
  /** After which question of its parent it begins; 0: it is the first. */
  turn: number;
  /** The artifact that it was begun from; empty: the question as a whole. */
  artifact: string;
  /** From 0. */
  depth: number;
  turns: number;
  updated: string;
  pinned: boolean;
  archived: boolean;
  imported: boolean;
  /** It was deleted since; its branches know its title. */
  gone: boolean;
}

/** Where the words of a search stand. */
export interface SearchHit {
  session_id: string;
  title: string;
  request_id: string;
  turn: number;
  field: 'title' | 'question' | 'query' | 'narration' | 'metric' | 'note';
  excerpt: string;
  at: string;
  pinned: boolean;
  archived: boolean;
}

/** An address under which others read a session. */
export interface ShareHead {
  id: string;
  /** The last question that it shows; 0: all of them. */
  turn: number;
  frames: 'whole' | 'masked' | 'none';
  created: string;
  expires: string | null;
  revoked: string | null;
  /** How often it was opened. */
  opened: number;
}

/** An address that was just made: it is said once. */
export interface ShareMade {
  id: string;
  url: string;
  created: string;
  expires: string | null;
}

/** How long things are kept, in days; 0: for ever. */
export interface Keep {
  history_days: number;
  context_days: number;
}
