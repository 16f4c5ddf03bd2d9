// Tables of the page are sorted by a click on the head of a column, or by a key on it: up, down, as it was. The page says the order of what is no
// word: every such cell has its place in its column. Words stand as the reader's language orders them. What is missing stays last, totals after it.
for (const table of document.querySelectorAll('table.sorts')) {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];
  const words = new Intl.Collator(undefined, { numeric: true });
  const compare = (at, down) => {
    const byWords = heads[at].hasAttribute('data-words');
    const keyOf = (row) => {
      const cell = row.cells[at];
      if (cell.classList.contains('z')) return null;
      return byWords ? cell.textContent : Number(cell.dataset.k ?? NaN);
    };
    const rank = (row) => (row.className === 'total' ? 2 : Number.isNaN(keyOf(row)) || keyOf(row) === null ? 1 : 0);
    return (a, b) => {
      const apart = rank(a) - rank(b);
      if (apart !== 0 || rank(a) > 0) return apart;
      const order = byWords ? words.compare(keyOf(a), keyOf(b)) : keyOf(a) - keyOf(b);
      return down ? -order : order;
    };
  };
  heads.forEach((head, at) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const was = head.getAttribute('aria-sort');
      const next = was === null ? 'ascending' : was === 'ascending' ? 'descending' : null;
      for (const other of heads) other.removeAttribute('aria-sort');
      if (next !== null) head.setAttribute('aria-sort', next);
      body.append(...(next === null ? rows : [...rows].sort(compare(at, next === 'descending'))));
    });
  });
}
// What is closed on the screen is open on paper.
addEventListener('beforeprint', () => {
  for (const card of document.querySelectorAll('details')) card.open = true;
});
