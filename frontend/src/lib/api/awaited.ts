// Shapes of routes that the API description does not name yet; each gives way to the generated one when it does.

/** How long things are kept, in days; 0: for ever. */
export interface Keep {
  history_days: number;
  context_days: number;
}
