// Roster keeps the patients of a clinic's wards. Each holds the ward's lock while it calls back, and the nurse who goes
// round discharges a patient from within the callback.
package main

import (
	"context"
	"log"
	"net"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/roster/rounds"
	"example.com/textbook/second/roster/ward"
)

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if err := serve(ctx); err != nil {
		log.Fatal(err)
	}
}

func serve(ctx context.Context) error {
	w := ward.New("surgery")
	beds := make(chan ward.Patient)
	go admissions(ctx, beds)
	for range 2 {
		go func() {
			for p := range beds {
				w.Admit(p)
			}
		}()
	}
	nurse := rounds.Nurse{Ward: w, Stay: 300 * time.Millisecond}
	go nurse.Run(ctx, 100*time.Millisecond)

	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	srv := &http.Server{Handler: http.FileServer(http.Dir("/nonexistent"))}
	errs := make(chan error, 1)
	go func() { errs <- srv.Serve(ln) }()
	go visitors(ctx, ln.Addr().String())
	select {
	case <-ctx.Done():
		return srv.Close()
	case err := <-errs:
		return err
	}
}

func admissions(ctx context.Context, beds chan<- ward.Patient) {
	defer close(beds)
	for n := 1; ctx.Err() == nil; n++ {
		beds <- ward.Patient{Bed: n, Since: time.Now()}
		time.Sleep(20 * time.Millisecond)
	}
}

// visitors hold two connections that are mostly idle.
func visitors(ctx context.Context, addr string) {
	var d net.Dialer
	for range 2 {
		conn, err := d.DialContext(ctx, "tcp", addr)
		if err != nil {
			return
		}
		defer conn.Close()
	}
	<-ctx.Done()
}
