// Command dispatch waits for parcels that drivers hand in; nobody hands parcels to the drivers.
package main

import (
	"fmt"
	"time"

	"example.com/textbook/kit"
)

type parcel struct{ street string }

type office struct {
	out, delivered chan parcel
}

func (o *office) driver() {
	for p := range o.out {
		time.Sleep(50 * time.Millisecond)
		o.delivered <- p
	}
}

func (o *office) deliver() int {
	<-o.delivered
	return 1
}

func main() {
	kit.Start()
	o := &office{out: make(chan parcel), delivered: make(chan parcel)}
	for range 6 {
		go o.driver()
	}
	for n := 0; ; n += o.deliver() {
		fmt.Println(n, "delivered")
	}
}
