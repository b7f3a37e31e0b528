package report

import "testing"

func TestColumn(t *testing.T) {
	tab := &Table{Rows: []*Row{{Cells: []string{"a", "b"}}, nil, {Cells: []string{"c"}}}, Width: 2}
	if got := tab.Column(0); len(got) != 3 {
		t.Fatal(got)
	}
}
