// Convoy plans routes of lorries. Plan counts each leg of a route before it starts a goroutine, and the goroutine counts
// itself again, so Plan waits for ever.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/convoy/route"
)

type dispatcher struct {
	planner *route.Planner
	tours   chan []string
	log     *log.Logger
}

// Handle queues a tour.
func (d *dispatcher) Handle(w http.ResponseWriter, r *http.Request) {
	var stops []string
	if err := json.NewDecoder(r.Body).Decode(&stops); err != nil || len(stops) < 2 {
		http.Error(w, "a tour has stops", http.StatusBadRequest)
		return
	}
	d.tours <- stops
}

func (d *dispatcher) drive() {
	for stops := range d.tours {
		if km := d.planner.Plan(stops); km > 10_000 {
			d.log.Print("long way: ", stops)
		}
	}
}

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	d := &dispatcher{
		planner: route.NewPlanner(),
		tours:   make(chan []string, 100),
		log:     log.New(os.Stderr, "dispatch ", log.LstdFlags),
	}
	go d.drive()
	go d.drive()
	go d.planner.Refresh(ctx, time.Second)
	go office(d.tours)

	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		d.log.Fatal(err)
	}
	go func() {
		<-ctx.Done()
		ln.Close()
	}()
	http.Serve(ln, http.HandlerFunc(d.Handle))
}

// office sends the daily tours.
func office(tours chan<- []string) {
	for range time.Tick(250 * time.Millisecond) {
		select {
		case tours <- []string{"Ghent", "Lille", "Reims", "Metz"}:
		default:
		}
	}
}
