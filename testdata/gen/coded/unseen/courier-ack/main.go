// Courier-ack sends parcels and waits for the couriers to confirm them.
package main

import (
	"context"
	"log"
	"time"

	"coded/kit"
)

func main() {
	kit.Serve()
	go func() {
		for n := 0; ; n++ {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			send(ctx, n)
			cancel()
			time.Sleep(2 * time.Second)
		}
	}()
	kit.Wait()
}

// send hands a parcel to a courier and waits until it is there, or the time is over.
func send(ctx context.Context, parcel int) {
	there, thanks := make(chan int, 1), make(chan struct{})
	go func() {
		time.Sleep(1500 * time.Millisecond)
		there <- parcel
		<-thanks
		log.Print("parcel ", parcel, " is closed")
	}()
	select {
	case <-there:
		close(thanks)
	case <-ctx.Done():
		log.Print(ctx.Err())
	}
}
