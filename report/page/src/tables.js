// sortTables lets a click or Enter on a column's head sort the rows by it.
export function sortTables() {
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => sortBy(table, heads, column));
    });
  }
}

function sortBy(table, heads, column) {
  const head = heads[column];
  const numeric = head.classList.contains("num");
  const before = head.getAttribute("aria-sort");
  const down = before ? before === "ascending" : numeric;
  for (const h of heads) h.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => ({ row, key: keyOf(row.cells[column], numeric) }));
  rows.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0) * (down ? -1 : 1));
  body.append(...rows.map((r) => r.row));
}

function keyOf(cell, numeric) {
  const text = cell.dataset.sort || cell.textContent.trim();
  return numeric ? Number(text.replaceAll(",", "")) || 0 : text.toLowerCase();
}
