// Lobby matches players of a game. Only the sweeper that looks for empty rooms closes one.
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/lobby-well/match"
)

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	hall := match.NewHall()
	go hall.Sweep(ctx, time.Second)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{Handler: routes(hall)}
	go srv.Serve(ln)
	for n := range 3 {
		go player(ctx, "http://"+ln.Addr().String(), n)
	}
	<-ctx.Done()
	srv.Shutdown(context.Background())
}

func routes(hall *match.Hall) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /rooms/{room}/join", func(_ http.ResponseWriter, r *http.Request) {
		hall.Room(r.PathValue("room")).Join()
	})
	mux.HandleFunc("POST /rooms/{room}/leave", func(_ http.ResponseWriter, r *http.Request) {
		hall.Room(r.PathValue("room")).Leave()
	})
	mux.HandleFunc("GET /rooms", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, hall.Names()) })
	return mux
}

// player plays in one room after the other.
func player(ctx context.Context, base string, n int) {
	time.Sleep(100 * time.Millisecond)
	post := func(path string) {
		if res, err := http.Post(base+path, "", nil); err == nil {
			res.Body.Close()
		}
	}
	for game := 0; ctx.Err() == nil; game++ {
		room := fmt.Sprintf("/rooms/%d-%d", n, game)
		post(room + "/join")
		time.Sleep(200 * time.Millisecond)
		post(room + "/leave")
	}
}
