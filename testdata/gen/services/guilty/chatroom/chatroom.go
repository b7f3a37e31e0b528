// Package chatroom sends what one guest says to all others.
package chatroom

import (
	"time"

	"example.com/services/kit"
)

type guest struct {
	room *Room
	out  chan string
}

type Room struct {
	enter, leave chan *guest
	say          chan string
	guests       map[*guest]bool
}

func (r *Room) run() {
	for {
		select {
		case g := <-r.enter:
			r.guests[g] = true
		case g := <-r.leave:
			delete(r.guests, g)
		case text := <-r.say:
			for g := range r.guests {
				g.out <- text
			}
		}
	}
}

func (g *guest) write(until int) {
	for range until {
		<-g.out
		time.Sleep(time.Millisecond)
	}
	g.room.leave <- g
}

func (g *guest) read() {
	for {
		g.room.say <- "hello"
		time.Sleep(200 * time.Millisecond)
	}
}

func Main() {
	kit.Start()
	r := &Room{make(chan *guest), make(chan *guest), make(chan string), map[*guest]bool{}}
	go r.run()
	for i := range 14 {
		g := &guest{r, make(chan string, 1)}
		r.enter <- g
		go g.write(50 + i*3)
		go g.read()
	}
	kit.Wait()
}
