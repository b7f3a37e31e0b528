// A theatre sells seats by row and number, both counted from one. sell takes one off the number and forgets the row, so
// the last row isn't there.
package main

import (
	"fmt"
	"time"
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
	if seat < 1 || seat > len(h.rows[0]) {
		return fmt.Errorf("no seat %d", seat)
	}
	if h.rows[row][seat-1] {
		return fmt.Errorf("row %d, seat %d is sold", row, seat)
	}
	h.rows[row][seat-1] = true
	h.sold++
	return nil
}

func main() {
	h := newHall(12, 20)
	for row := 1; row <= 12; row++ {
		for seat := 1; seat <= 20; seat++ {
			if err := h.sell(row, seat); err != nil {
				fmt.Println(err)
			}
			time.Sleep(4 * time.Millisecond)
		}
	}
	fmt.Println(h.sold, "sold")
}
