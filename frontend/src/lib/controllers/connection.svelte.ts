/** Knows whether the program behind the page can be reached, and tries again by itself while it cannot. */
export class Connection {
  lost = $state(false);
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private pause = 0;

  /** `reach` asks the program for anything; `back` is called when it answers again. */
  constructor(
    private readonly reach: () => Promise<unknown>,
    private readonly back: () => void,
    private readonly first = 1000,
    private readonly longest = 8000,
  ) {}

  /** The program did not answer. */
  lose(): void {
    if (this.lost) return;
    this.lost = true;
    this.pause = this.first;
    this.plan();
  }

  /** Tries now. */
  async again(): Promise<void> {
    clearTimeout(this.waiting);
    try {
      await this.reach();
    } catch {
      this.pause = Math.min(this.pause * 2, this.longest);
      if (this.lost) this.plan();
      return;
    }
    if (!this.lost) return;
    this.lost = false;
    this.back();
  }

  private plan(): void {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => void this.again(), this.pause);
  }
}
