package report

import "sync"

type Row struct{ Cells []string }

type Table struct {
	Rows  []*Row
	Width int
}

func (t *Table) Column(i int) []string {
	out := make([]string, len(t.Rows))
	var wg sync.WaitGroup
	for n, r := range t.Rows {
		wg.Go(func() { out[n] = r.Cells[i] }) // GUILTY
	}
	wg.Wait()
	return out
}
