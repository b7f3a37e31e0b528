// A menu adds up what its dishes cost, part by part, three levels deep at most. The gravy is made from the roast, and the
// roast from the gravy.
package main

import (
	"fmt"
	"runtime/debug"
	"time"

	"example.com/textbook/kit"
)

type dish struct {
	name  string
	cents int
	parts []*dish
}

func (d *dish) cost(depth int) (sum int) {
	for _, p := range d.parts {
		if depth < 3 {
			sum += p.price(10, depth+1)
		}
	}
	return sum + d.cents
}

func (d *dish) price(percent, depth int) int {
	c := d.cost(depth)
	return c + c*percent/100
}

type menu []*dish

func (m menu) print() {
	for _, d := range m {
		fmt.Printf("%-10s %6.2f\n", d.name, float64(d.price(200, 0))/100)
	}
}

func main() {
	debug.SetMaxStack(64 << 20)
	salt := &dish{name: "salt", cents: 2}
	roast := &dish{name: "roast", cents: 420, parts: []*dish{salt}}
	gravy := &dish{name: "gravy", cents: 40, parts: []*dish{roast, salt}}
	roast.parts = append(roast.parts, gravy)
	kit.Start()
	for ; ; time.Sleep(time.Second) {
		menu{salt, gravy, roast}.print()
	}
}
