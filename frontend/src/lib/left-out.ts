// What a session does not have because its file was written without rows. Pure.
import type { Frame } from './api/types';

/** Whether the rows of a frame were left out of the file that it came with; those that were let go here are another matter. */
export const leftOut = (frame: Frame): boolean =>
  frame.rows.length === 0 && frame.truncated?.cap === 0 && frame.truncated.total_rows > 0 && !frame.let_go;
