// Command websocket-close-lock is a client of a chat: it looks in on a room again and again, and says something in every
// other session. A local server is the chat.
//
// https://github.com/coder/websocket/issues/231
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"nhooyr.io/websocket"

	"wild/kit"
)

const (
	visiting = 300 * time.Millisecond // between two sessions
	patient  = 5 * time.Second        // with the server
)

var sessions, heard atomic.Int64

func main() {
	kit.Serve()
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer cancel()

	url, err := serveChat()
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/chat", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, sessions.Load(), "sessions,", heard.Load(), "messages")
	})
	ticker := time.NewTicker(visiting)
	defer ticker.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := session(ctx, url, n%2 == 0); err != nil {
				log.Printf("session %d: %v", n, err)
				continue
			}
			sessions.Add(1)
		}
	}
}

// session enters the room, says something if it is talkative, and leaves.
func session(ctx context.Context, url string, talkative bool) error {
	ctx, cancel := context.WithTimeout(ctx, patient)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, url, nil)
	if err != nil {
		return err
	}
	w, err := conn.Writer(ctx, websocket.MessageText)
	if err != nil {
		return err
	}
	if talkative {
		if _, err := w.Write([]byte("hello")); err != nil {
			return err
		}
	}
	return conn.Close(websocket.StatusNormalClosure, "bye")
}

// serveChat starts the server and returns its address.
func serveChat() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	go http.Serve(listener, http.HandlerFunc(room))
	return "ws://" + listener.Addr().String(), nil
}

// room listens to one visitor until he leaves.
func room(w http.ResponseWriter, r *http.Request) {
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		log.Print(err)
		return
	}
	defer conn.Close(websocket.StatusInternalError, "")
	for {
		if _, _, err := conn.Read(r.Context()); err != nil {
			return
		}
		heard.Add(1)
	}
}
