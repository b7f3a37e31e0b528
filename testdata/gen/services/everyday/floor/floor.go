// Package floor is a trading floor: a hub sends each price to 200 websockets, one of which reads slowly.
//
// It looks like a loop that is stuck in a send (loop-stuck, channel-send-leak): the hub waits for room in the queue of
// the slow client, and those who publish wait for the hub. The slow client reads a message each two seconds, so all go on.
package floor

import (
	"net"
	"net/http"
	"strings"
	"time"

	"example.com/services/kit"
	"github.com/gorilla/websocket"
)

type hub struct {
	join, leave chan *client
	prices      chan []byte
	clients     map[*client]bool
}

type client struct {
	hub  *hub
	conn *websocket.Conn
	send chan []byte
}

func (h *hub) run() {
	for {
		select {
		case c := <-h.join:
			h.clients[c] = true
		case c := <-h.leave:
			delete(h.clients, c)
			close(c.send)
		case price := <-h.prices:
			for c := range h.clients {
				c.send <- price
			}
		}
	}
}

func (c *client) readPump() {
	defer func() { c.hub.leave <- c }()
	for {
		if _, _, err := c.conn.ReadMessage(); err != nil {
			return
		}
	}
}

func (c *client) writePump() {
	defer c.conn.Close()
	for message := range c.send {
		if c.conn.WriteMessage(websocket.TextMessage, message) != nil {
			return
		}
	}
}

var upgrader = websocket.Upgrader{WriteBufferSize: 512}

func (h *hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	conn, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	conn.NetConn().(*net.TCPConn).SetWriteBuffer(4 << 10)
	c := &client{h, conn, make(chan []byte, 1)}
	h.join <- c
	go c.writePump()
	go c.readPump()
}

// view shows prices: a slow one shows one each two seconds.
func view(url string, pause time.Duration) {
	dialer := websocket.Dialer{ReadBufferSize: 1 << 10}
	conn, _, err := dialer.Dial(strings.Replace(url, "http", "ws", 1), nil)
	if err != nil {
		panic(err)
	}
	conn.NetConn().(*net.TCPConn).SetReadBuffer(4 << 10)
	for {
		if _, _, err := conn.ReadMessage(); err != nil {
			return
		}
		time.Sleep(pause)
	}
}

func (h *hub) quote() {
	price := []byte(strings.Repeat("x", 1<<12))
	for {
		h.prices <- price
		time.Sleep(10 * time.Millisecond)
	}
}

// Main opens the floor.
func Main() {
	kit.Start()
	h := &hub{make(chan *client), make(chan *client), make(chan []byte), map[*client]bool{}}
	go h.run()
	url := kit.API(h)
	for i := range 200 {
		go view(url, time.Duration(i/199)*2*time.Second)
	}
	for range 12 {
		go h.quote()
	}
	kit.Wait()
}
