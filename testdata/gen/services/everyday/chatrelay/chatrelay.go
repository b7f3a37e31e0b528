// Package chatrelay passes messages on between the members of a room.
package chatrelay

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"example.com/services/kit"
	"github.com/gorilla/websocket"
)

var upgrader = websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}

// A room has all who listen.
type room struct {
	mu      sync.Mutex
	members map[*websocket.Conn]string
}

func (r *room) join(c *websocket.Conn, name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.members[c] = name
}

func (r *room) leave(c *websocket.Conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.members, c)
	c.Close()
}

// say sends a message to all members. The lock keeps two writers from one connection.
func (r *room) say(text []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.members {
		if err := c.WriteMessage(websocket.TextMessage, text); err != nil {
			delete(r.members, c)
		}
	}
}

func (r *room) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	c, err := upgrader.Upgrade(w, req, nil)
	if err != nil {
		return
	}
	r.join(c, req.URL.Query().Get("name"))
	defer r.leave(c)
	for {
		_, text, err := c.ReadMessage()
		if err != nil {
			return
		}
		r.say(text)
	}
}

// visit is a browser: it may stop reading when its tab sleeps.
func visit(url, name string, reads bool) {
	c, _, err := websocket.DefaultDialer.Dial(url+"?name="+name, nil)
	if err != nil {
		return
	}
	if reads {
		go func() {
			for {
				if _, _, err := c.ReadMessage(); err != nil {
					return
				}
			}
		}()
	}
	for i := 0; ; i++ {
		time.Sleep(500 * time.Millisecond)
		text := fmt.Sprintf("%s %d %s", name, i, strings.Repeat("hello ", 2000))
		if err := c.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
			return
		}
	}
}

func Main() {
	kit.Start()
	r := &room{members: map[*websocket.Conn]string{}}
	url := "ws" + strings.TrimPrefix(kit.API(r), "http")
	for i := range 9 {
		go visit(url, fmt.Sprint("member", i), i != 4)
	}
	time.Sleep(2 * time.Minute)
	for i := range 4 {
		go visit(url, fmt.Sprint("late", i), true)
	}
	kit.Wait()
}
