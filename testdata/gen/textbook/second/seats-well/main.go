// A theatre sells seats by row and number, both counted from one. sell takes one off both, and refuses a row that isn't
// there.
package main

import (
	"fmt"
	"time"

	"example.com/textbook/kit"
)

type hall struct {
	rows [][]bool
	sold int
}

func newHall(rows, seats int) *hall {
	h := new(hall)
	for range rows {
		h.rows = append(h.rows, make([]bool, seats))
	}
	return h
}

func (h *hall) sell(row, seat int) error {
	if row < 1 || row > len(h.rows) || seat < 1 || seat > len(h.rows[0]) {
		return fmt.Errorf("no seat %d in row %d", seat, row)
	}
	if h.rows[row-1][seat-1] {
		return fmt.Errorf("row %d, seat %d is sold", row, seat)
	}
	h.rows[row-1][seat-1] = true
	h.sold++
	return nil
}

func main() {
	kit.Start()
	h := newHall(12, 20)
	for row := 1; ; row++ {
		if row > 12 {
			h, row = newHall(12, 20), 1 // the next evening
		}
		for seat := 1; seat <= 20; seat++ {
			if err := h.sell(row, seat); err != nil {
				fmt.Println(err)
			}
			time.Sleep(4 * time.Millisecond)
		}
	}

}
