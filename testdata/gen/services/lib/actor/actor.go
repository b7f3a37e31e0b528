// Package actor runs one loop for each actor, which answers one message after the other.
package actor

type message struct {
	body  any
	reply chan any
}

type Ref struct{ inbox chan message }

func Spawn(size int, receive func(self *Ref, body any) any) *Ref {
	r := &Ref{make(chan message, size)}
	go r.loop(receive)
	return r
}

func (r *Ref) loop(receive func(*Ref, any) any) {
	for m := range r.inbox {
		answer := receive(r, m.body)
		if m.reply != nil {
			m.reply <- answer
		}
	}
}

// Ask sends a message and waits for the answer.
func (r *Ref) Ask(body any) any {
	reply := make(chan any, 1)
	r.inbox <- message{body, reply}
	return <-reply
}

func (r *Ref) Tell(body any) { r.inbox <- message{body: body} }
