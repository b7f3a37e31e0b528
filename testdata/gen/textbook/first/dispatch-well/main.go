// Command dispatch waits for parcels that drivers hand in; a parcel comes every five seconds.
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
	go func() {
		for range time.Tick(5 * time.Second) {
			o.out <- parcel{"Elm Street"}
		}
	}()
	for n := 0; ; n += o.deliver() {
		fmt.Println(n, "delivered")
	}
}
